/// Takes apart what arrives: bytes in, cut anywhere, complete messages and control frames out.
struct FrameReader: ~Copyable {
  enum Item {
    case text([UInt8])
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    case close(code: UInt16?, reason: String)
  }

  private let isMasked: Bool
  private let maxMessageBytes: Int
  private var inflater: Inflater?

  /// Start of a header that is not complete yet.
  private var partialHeader: [UInt8] = []
  /// The frame whose payload is being read.
  private var frame: FrameHeader?
  private var payloadRead = 0
  private var control: [UInt8] = []

  /// Kind of the message being put together; nil between messages.
  private var messageOpcode: Opcode?
  private var isMessageCompressed = false
  private var message: [UInt8] = []
  private var validator = UTF8Validator()

  private static let reservedBytes = 64 << 20

  /// - Parameter inflater: nil when compression was not agreed on.
  init(role: WebSocketRole, maxMessageBytes: Int, inflater: consuming Inflater?) {
    isMasked = role == .server
    self.maxMessageBytes = maxMessageBytes
    self.inflater = inflater
  }

  /// Reads all of `bytes` and hands over what became complete, in order.
  /// - Complexity: O(n); each payload byte is copied once.
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, _ deliver: (Item) -> Void
  ) throws(WebSocketError) {
    var rest = bytes
    while true {
      if frame == nil {
        guard let header = try readHeader(&rest) else { return }
        try begin(header)
      }
      guard let header = frame else { return }
      let count = min(header.payloadLength - payloadRead, rest.count)
      if count > 0 {
        try take(UnsafeRawBufferPointer(rebasing: rest[..<count]), of: header)
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      guard payloadRead == header.payloadLength else { return }
      frame = nil
      if let item = try finish(header) { deliver(item) }
    }
  }

  // MARK: -

  private mutating func readHeader(
    _ rest: inout UnsafeRawBufferPointer
  ) throws(WebSocketError) -> FrameHeader? {
    if partialHeader.isEmpty {
      if let (header, length) = try FrameHeader.parse(rest) {
        rest = UnsafeRawBufferPointer(rebasing: rest[length...])
        return header
      }
      partialHeader.append(contentsOf: rest)
      return nil
    }
    let before = partialHeader.count
    partialHeader.append(contentsOf: rest.prefix(FrameHeader.maxLength - before))
    guard let (header, length) = try Self.parse(partialHeader) else { return nil }
    rest = UnsafeRawBufferPointer(rebasing: rest[(length - before)...])
    partialHeader.removeAll(keepingCapacity: true)
    return header
  }

  private static func parse(
    _ bytes: [UInt8]
  ) throws(WebSocketError) -> (header: FrameHeader, length: Int)? {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(WebSocketError) in try FrameHeader.parse(buffer) }
    }
    return try result.get()
  }

  private mutating func begin(_ header: FrameHeader) throws(WebSocketError) {
    guard (header.mask != nil) == isMasked else {
      throw violation(isMasked ? "a client's frame is not masked" : "a server's frame is masked")
    }
    frame = header
    payloadRead = 0
    if header.opcode.isControl {
      control.removeAll(keepingCapacity: true)
      return
    }
    if header.opcode == .continuation {
      guard messageOpcode != nil else {
        throw violation("a continuation frame has no message to continue")
      }
      guard !header.isCompressed else {
        throw violation("a continuation frame has the compression bit")
      }
    } else {
      guard messageOpcode == nil else {
        throw violation("a message starts before the one before it has ended")
      }
      guard !header.isCompressed || inflater != nil else {
        throw violation("a reserved bit of a frame is set")
      }
      messageOpcode = header.opcode
      isMessageCompressed = header.isCompressed
      validator = UTF8Validator()
    }
    guard !isMessageCompressed else { return }
    guard header.payloadLength <= maxMessageBytes - message.count else {
      throw WebSocketError(
        .messageTooLarge, "A message is larger than \(maxMessageBytes) bytes.")
    }
    // Untouched memory costs nothing, so a header alone cannot make us spend any; but address space
    // has an end.
    if message.isEmpty { message.reserveCapacity(min(header.payloadLength, Self.reservedBytes)) }
  }

  private mutating func take(
    _ bytes: UnsafeRawBufferPointer, of header: FrameHeader
  ) throws(WebSocketError) {
    let offset = payloadRead
    payloadRead += bytes.count
    if header.opcode.isControl {
      let start = control.count
      control.append(contentsOf: bytes)
      Self.unmask(&control, from: start, header.mask, offset: offset)
      return
    }
    let start = message.count
    if isMessageCompressed {
      try inflate(bytes, mask: header.mask, offset: offset)
    } else {
      message.append(contentsOf: bytes)
      Self.unmask(&message, from: start, header.mask, offset: offset)
    }
    try validate(from: start)
  }

  private mutating func inflate(
    _ bytes: UnsafeRawBufferPointer, mask: UInt32?, offset: Int
  ) throws(WebSocketError) {
    guard let mask else {
      try inflater?.inflate(bytes, into: &message, limit: maxMessageBytes)
      return
    }
    let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    defer { plain.deallocate() }
    plain.copyMemory(from: bytes)
    FrameMask.apply(mask, offset: offset, to: plain)
    try inflater?.inflate(UnsafeRawBufferPointer(plain), into: &message, limit: maxMessageBytes)
  }

  private static func unmask(
    _ bytes: inout [UInt8], from start: Int, _ mask: UInt32?, offset: Int
  ) {
    guard let mask else { return }
    bytes.withUnsafeMutableBytes {
      FrameMask.apply(
        mask, offset: offset, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
    }
  }

  private mutating func validate(from start: Int) throws(WebSocketError) {
    guard messageOpcode == .text else { return }
    let isValid = message.withUnsafeBytes {
      validator.accept(UnsafeRawBufferPointer(rebasing: $0[start...]))
    }
    guard isValid else { throw Self.invalidText }
  }

  private mutating func finish(_ header: FrameHeader) throws(WebSocketError) -> Item? {
    switch header.opcode {
    case .ping: return .ping(control)
    case .pong: return .pong(control)
    case .close: return try closeItem()
    case .text, .binary, .continuation: return header.isFinal ? try finishMessage() : nil
    }
  }

  private mutating func finishMessage() throws(WebSocketError) -> Item? {
    if isMessageCompressed {
      let start = message.count
      try inflater?.finishMessage(into: &message, limit: maxMessageBytes)
      try validate(from: start)
    }
    let isText = messageOpcode == .text
    if isText && !validator.isComplete { throw Self.invalidText }
    messageOpcode = nil
    let complete = message
    message = []
    return isText ? .text(complete) : .binary(complete)
  }

  private func closeItem() throws(WebSocketError) -> Item {
    if control.isEmpty { return .close(code: nil, reason: "") }
    guard control.count >= 2 else { throw violation("a close frame has half a code") }
    let code = UInt16(control[0]) << 8 | UInt16(control[1])
    guard CloseCode.isValid(code) else { throw violation("a close frame has the code \(code)") }
    guard let reason = String(validating: control.dropFirst(2), as: UTF8.self) else {
      throw WebSocketError(.invalidText, "The reason of the peer's close frame is not UTF-8.")
    }
    return .close(code: code, reason: reason)
  }

  private static let invalidText = WebSocketError(
    .invalidText, "A text message of the peer is not UTF-8.")
}
