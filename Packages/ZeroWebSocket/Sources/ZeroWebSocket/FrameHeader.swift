/// The first 2 to 14 bytes of a frame.
struct FrameHeader: Equatable {
  var opcode: Opcode
  var isFinal: Bool
  /// The first reserved bit, which permessage-deflate sets on the first frame of a compressed message.
  var isCompressed: Bool
  var payloadLength: Int
  var mask: UInt32?

  static let maxLength = 14

  /// Reads a header from the start of `bytes`.
  /// - Returns: the header and its length, or nil when more bytes are needed.
  /// - Throws: as soon as the bytes that are there cannot begin a legal frame.
  static func parse(
    _ bytes: UnsafeRawBufferPointer
  ) throws(WebSocketError) -> (header: FrameHeader, length: Int)? {
    guard bytes.count >= 2 else {
      if let first = bytes.first { _ = try opcode(of: first) }
      return nil
    }
    let opcode = try opcode(of: bytes[0])
    let isFinal = bytes[0] & 0x80 != 0
    let isCompressed = bytes[0] & 0x40 != 0
    let isMasked = bytes[1] & 0x80 != 0
    let short = Int(bytes[1] & 0x7F)
    if opcode.isControl {
      if !isFinal { throw violation("a control frame is fragmented") }
      if short > 125 { throw violation("a control frame is longer than 125 bytes") }
      if isCompressed { throw violation("a control frame is compressed") }
    }
    let lengthBytes = short == 127 ? 8 : short == 126 ? 2 : 0
    let length = 2 + lengthBytes + (isMasked ? 4 : 0)
    guard bytes.count >= 2 + lengthBytes else { return nil }
    let payload: UInt64
    switch lengthBytes {
    case 2:
      payload = UInt64(
        UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
      if payload < 126 { throw violation("a payload length is not encoded in its shortest form") }
    case 8:
      payload = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
      if payload <= 0xFFFF {
        throw violation("a payload length is not encoded in its shortest form")
      }
      if payload > UInt64(Int.max) { throw violation("a payload length has its highest bit set") }
    default:
      payload = UInt64(short)
    }
    guard bytes.count >= length else { return nil }
    let mask =
      isMasked
      ? UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: length - 4, as: UInt32.self)) : nil
    let header = FrameHeader(
      opcode: opcode, isFinal: isFinal, isCompressed: isCompressed, payloadLength: Int(payload),
      mask: mask)
    return (header, length)
  }

  /// Writes the header to the start of `buffer`, which has room for ``maxLength`` bytes.
  /// - Returns: the length of the header.
  func write(to buffer: UnsafeMutableRawBufferPointer) -> Int {
    buffer[0] = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    var length = 2
    switch payloadLength {
    case ..<126:
      buffer[1] = maskBit | UInt8(truncatingIfNeeded: payloadLength)
    case ...0xFFFF:
      buffer[1] = maskBit | 126
      buffer.storeBytes(
        of: UInt16(truncatingIfNeeded: payloadLength).bigEndian, toByteOffset: 2, as: UInt16.self)
      length = 4
    default:
      buffer[1] = maskBit | 127
      buffer.storeBytes(
        of: UInt64(truncatingIfNeeded: payloadLength).bigEndian, toByteOffset: 2, as: UInt64.self)
      length = 10
    }
    if let mask {
      buffer.storeBytes(of: mask.littleEndian, toByteOffset: length, as: UInt32.self)
      length += 4
    }
    return length
  }

  // MARK: -

  private static func opcode(of first: UInt8) throws(WebSocketError) -> Opcode {
    if first & 0x30 != 0 { throw violation("a reserved bit of a frame is set") }
    guard let opcode = Opcode(rawValue: first & 0x0F) else {
      throw violation("a frame has the unknown opcode \(first & 0x0F)")
    }
    return opcode
  }
}

/// The peer broke the rules in the way `message` says.
func violation(_ message: String) -> WebSocketError {
  WebSocketError(.protocolViolation, "The peer broke the WebSocket protocol: \(message).")
}
