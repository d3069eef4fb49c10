import CZeroPeer
@_spi(Testing) import ZeroWebSocket

/// One connection of a ``ScriptedPeer``, in the hands of the script's thread. Every call blocks.
public final class PeerConnection {
  /// The connection is gone, or the client did what it must not do.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    public let description: String
  }

  /// A frame from the client, unmasked.
  public struct Frame: Sendable, Equatable {
    public var opcode: UInt8
    public var payload: [UInt8]
    public var isFinal = true
    /// Whether the first reserved bit is set.
    public var isCompressed = false

    /// Code and reason of a close frame.
    public var closeCode: UInt16? {
      payload.count < 2 ? nil : UInt16(payload[0]) << 8 | UInt16(payload[1])
    }
    public var closeReason: String { String(decoding: payload.dropFirst(2), as: UTF8.self) }
  }

  private let handle: OpaquePointer
  private var unread: [UInt8] = []

  init(_ handle: OpaquePointer) { self.handle = handle }

  /// Reads the client's request head, up to and with the empty line.
  public func readHead() throws -> String {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) { head.append(try read(1)[0]) }
    return String(decoding: head, as: UTF8.self)
  }

  /// Reads the request and agrees to it, echoing the subprotocol.
  /// - Parameter headers: further lines for the answer, each with its line break.
  /// - Returns: the request head.
  @discardableResult
  public func upgrade(headers: String = "", echoesSubprotocol: Bool = true) throws -> String {
    let head = try readHead()
    var answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    answer += "Sec-WebSocket-Accept: \(try Self.acceptKey(head))\r\n"
    if echoesSubprotocol, let subprotocol = Self.header("Sec-WebSocket-Protocol", in: head) {
      answer += "Sec-WebSocket-Protocol: \(subprotocol)\r\n"
    }
    try write(answer + headers + "\r\n")
    return head
  }

  /// The value of a header in a head.
  public static func header(_ name: String, in head: String) -> String? {
    for line in head.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":"),
        line[..<colon].lowercased() == name.lowercased()
      else { continue }
      return String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    return nil
  }

  /// The proof that belongs to the key in a request head.
  public static func acceptKey(_ head: String) throws -> String {
    guard let key = header("Sec-WebSocket-Key", in: head) else {
      throw Failure(description: "The request has no Sec-WebSocket-Key.")
    }
    return WebSocketKey.accept(for: key)
  }

  /// Reads exactly `count` bytes.
  public func read(_ count: Int) throws -> [UInt8] {
    while unread.count < count {
      guard let more = receive() else {
        throw Failure(description: "The connection ended, or nothing came for twenty minutes.")
      }
      unread += more
    }
    defer { unread.removeFirst(count) }
    return Array(unread.prefix(count))
  }

  /// Reads one frame, which must be masked.
  public func readFrame() throws -> Frame {
    let start = try read(2)
    guard start[1] & 0x80 != 0 else {
      throw Failure(description: "A client's frame is not masked.")
    }
    var length = Int(start[1] & 0x7F)
    if length == 126 {
      length = try read(2).reduce(0) { $0 << 8 | Int($1) }
    } else if length == 127 {
      length = try read(8).reduce(0) { $0 << 8 | Int($1) }
    }
    let mask = try read(4)
    var payload = try read(length)
    payload.withUnsafeMutableBytes {
      FrameMask.apply(mask.reversed().reduce(0) { $0 << 8 | UInt32($1) }, to: $0)
    }
    return Frame(
      opcode: start[0] & 0x0F, payload: payload, isFinal: start[0] & 0x80 != 0,
      isCompressed: start[0] & 0x40 != 0)
  }

  /// Reads until the client hangs up, and returns what came.
  @discardableResult
  public func readToEnd() -> [UInt8] {
    while let more = receive() { unread += more }
    defer { unread = [] }
    return unread
  }

  /// Reads up to the client's close frame and answers it.
  public func answerClose() throws {
    while true {
      let frame = try readFrame()
      if frame.opcode == 8 { return try writeFrame(8, frame.payload) }
    }
  }

  public func write(_ bytes: [UInt8]) throws {
    let status = bytes.withUnsafeBytes { czero_peer_write(handle, $0.baseAddress, $0.count) }
    if status != 0 { throw Failure(description: "The connection is gone.") }
  }

  public func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Writes in pieces of `size` bytes, each a segment of its own.
  public func write(_ bytes: [UInt8], inPiecesOf size: Int) throws {
    for start in stride(from: 0, to: bytes.count, by: size) {
      try write(Array(bytes[start..<min(start + size, bytes.count)]))
    }
  }

  /// Writes a frame of a server.
  public func writeFrame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) throws {
    try write(Self.frame(opcode, payload, isFinal: isFinal))
  }

  /// Writes a close frame; without a code if it is nil.
  public func writeClose(_ code: UInt16?, _ reason: String = "") throws {
    try writeFrame(8, code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] + Array(reason.utf8) } ?? [])
  }

  /// The bytes of a server's frame.
  public static func frame(
    _ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, reserved: UInt8 = 0
  ) -> [UInt8] {
    var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
    switch payload.count {
    case ..<126: bytes.append(UInt8(payload.count))
    case ...0xFFFF: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default:
      bytes.append(127)
      bytes += stride(from: 56, through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: payload.count >> $0)
      }
    }
    return bytes + payload
  }

  /// Sends FIN; reading goes on.
  public func endSending() { czero_peer_end_sending(handle) }

  /// Makes the end of the script a reset instead of an orderly end.
  public func reset() { czero_peer_will_reset(handle) }

  // MARK: -

  private func receive() -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
      count = max(0, czero_peer_read(handle, buffer.baseAddress, buffer.count))
    }
    return bytes.isEmpty ? nil : bytes
  }
}
