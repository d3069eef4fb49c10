import ZeroWebSocketServer

/// Puts a live client's IDs where a recording has those of the recorded one.
struct IDSubstitution: Sendable {
  private var pairs: [(recorded: [UInt8], live: [UInt8])] = []

  /// Compares the parameters of the recorded URL with those of a request.
  init(recordedURL: String, request: HTTPRequest) {
    var recorded = request
    recorded.target = recordedURL
    for name in ["clientID", "clientGroupID", "wsid"] {
      guard let old = recorded.parameter(name), let new = request.parameter(name), !old.isEmpty,
        old != new
      else { continue }
      pairs.append((Array(old.utf8), Array(new.utf8)))
    }
  }

  func apply(to frame: Transcript.Frame) -> Transcript.Frame {
    switch frame {
    case .text(let bytes): .text(apply(to: bytes))
    case .binary(let bytes): .binary(apply(to: bytes))
    }
  }

  // MARK: -

  private func apply(to bytes: [UInt8]) -> [UInt8] {
    pairs.reduce(bytes) { bytes, pair in bytes.replacing(pair.recorded, with: pair.live) }
  }
}
