import ZeroProtocol

/// The runner of every recorded flow between a client and a server: all that was sent decodes, and
/// encodes to an equal message again.
let transcriptRunner = VectorRunner(
  fields: ["name", "description", "protocolVersion", "events"]
) { test in
  let version = try test.int("protocolVersion")
  guard SyncProtocol.supportedVersions.contains(version) else {
    throw VectorFailure("protocol version \(version) is not supported")
  }
  var frames = RecordedFrames(
    isTyped: try test.string("description").utf8.starts(with: "Hand written".utf8))
  for (index, event) in try test.array("events").enumerated() {
    do {
      guard case .object(let object) = event else { throw VectorFailure("no object") }
      try frames.check(VectorCase(id: "\(index)", object: object))
    } catch {
      throw VectorFailure("event \(index): \(error)")
    }
  }
  try frames.finish()
}
