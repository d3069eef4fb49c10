/// Collects the binary chunks of one poke.
///
/// Boundaries of chunks mean nothing, they may lie inside a character. Nothing is looked at until
/// the poke ends, so a cancelled poke may have sent anything.
@_spi(Engine) public struct PokeAssembler: Sendable {
  /// The payloads so far, joined.
  public private(set) var payload: [UInt8] = []
  private let byteLimit: Int

  /// The first byte of a frame with a chunk of a poke.
  public static let messageType = SyncProtocol.pokeChunkTag

  /// - Parameter byteLimit: how many bytes one poke may have.
  public init(byteLimit: Int = JSONLimits.standard.byteCount) { self.byteLimit = byteLimit }

  /// Whether no frame was added.
  public private(set) var isEmpty = true

  /// Adds a whole binary frame.
  /// - Throws: `invalidValue` for an empty frame or one that is no chunk of a poke, `tooLarge`.
  public mutating func add(_ frame: UnsafeRawBufferPointer) throws(JSONError) {
    guard let type = frame.first else {
      throw JSONError(.invalidValue, message: "a binary message without a type byte")
    }
    guard type == Self.messageType else {
      throw JSONError(.invalidValue, message: "a binary message of the unknown type \(type)")
    }
    guard frame.count - 1 <= byteLimit - payload.count else {
      throw JSONError(
        .tooLarge, byteOffset: byteLimit, message: "the chunks of a poke exceed \(byteLimit) bytes")
    }
    isEmpty = false
    payload.append(contentsOf: frame.dropFirst())
  }

  /// Adds a whole binary frame.
  public mutating func add(_ frame: [UInt8]) throws(JSONError) {
    try frame.withUnsafeBufferPointer { frame throws(JSONError) in
      try add(UnsafeRawBufferPointer(frame))
    }
  }
}

/// Cuts the payload of a poke into binary frames, as a server sends them.
@_spi(Engine) public struct PokeChunker: Sendable {
  private let frameBytes: Int

  /// What the server uses.
  public static let standardFrameBytes = 1 << 20

  /// - Parameter frameBytes: the largest frame, its type byte included; at least five, so that any
  ///   character fits.
  /// - Throws: `invalidValue` for less.
  public init(frameBytes: Int = standardFrameBytes) throws(JSONError) {
    guard frameBytes >= 5 else {
      throw JSONError(.invalidValue, message: "a frame of \(frameBytes) bytes is too small, use 5")
    }
    self.frameBytes = frameBytes
  }

  /// The frames of `payload`, valid UTF-8. No character is cut apart.
  public func frames(_ payload: [UInt8]) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    var start = 0
    while start < payload.count {
      var end = min(start + frameBytes - 1, payload.count)
      if end < payload.count {
        while end > start + 1, payload[end] & 0xC0 == 0x80 { end -= 1 }
      }
      frames.append([PokeAssembler.messageType] + payload[start..<end])
      start = end
    }
    return frames
  }
}
