import ZeroWebSocket

/// Collects the body of a request, of known length or in chunks.
struct HTTPBodyReader {
  enum Outcome {
    case needsMore
    case complete([UInt8])
    case tooLarge
    case invalid
  }

  private enum Framing {
    case length(Int)
    case chunked
    case invalid
  }

  private let framing: Framing
  private let limit: Int
  private var raw: [UInt8] = []

  init(_ head: HTTPHead, limit: Int) {
    self.limit = limit
    if let encoding = head.value(of: "transfer-encoding") {
      framing = encoding.lowercased() == "chunked" ? .chunked : .invalid
    } else if let length = head.value(of: "content-length") {
      framing = Int(length).map { $0 >= 0 ? .length($0) : .invalid } ?? .invalid
    } else {
      framing = .length(0)
    }
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) { raw.append(contentsOf: bytes) }

  var outcome: Outcome {
    switch framing {
    case .invalid: return .invalid
    case .length(let length):
      if length > limit { return .tooLarge }
      return raw.count >= length ? .complete(Array(raw.prefix(length))) : .needsMore
    case .chunked: return dechunked
    }
  }

  // MARK: -

  private var dechunked: Outcome {
    var rest = raw[...]
    var body: [UInt8] = []
    while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: rest[..<lineEnd], as: UTF8.self)
      guard let size = Int(line.prefix { $0.isHexDigit }, radix: 16), size >= 0 else {
        return .invalid
      }
      rest = rest[(lineEnd + 1)...]
      if size == 0 { return .complete(body) }
      guard size <= limit - body.count else { return .tooLarge }
      guard rest.count >= size + 2 else { return .needsMore }
      body += rest.prefix(size)
      rest = rest.dropFirst(size + 2)
    }
    return raw.count > 2 * limit + 4096 ? .tooLarge : .needsMore
  }
}
