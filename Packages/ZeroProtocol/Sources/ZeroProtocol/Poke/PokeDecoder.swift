/// Decodes poke parts from bytes straight to packed rows, without a tree in between.
///
/// Takes what the reference takes: unknown members are passed over, values of any type stand in any
/// column, entries of unknown tables and unknown columns are checked and left out. The byte offset
/// of an error counts from the start of the bytes given.
@_spi(Engine) public struct PokeDecoder: Sendable {
  private let tables: [TableDescriptor]
  private let limits: JSONLimits

  public init(_ schema: ZeroSchema, limits: JSONLimits = .standard) {
    tables = schema.tables
    self.limits = limits
  }

  /// The parts in the payload of a poke's chunks, joined: a JSON array of part bodies, which may
  /// begin with a byte order mark.
  /// - Complexity: O(n). Each row is one allocation.
  public func parts(
    inPayload payload: UnsafeRawBufferPointer
  ) throws(JSONError) -> [PokePatches] {
    let mark = hasByteOrderMark(payload) ? 3 : 0
    var reading = PokeReading(
      try JSONReader(payload, startingAt: mark, limits: limits), tables)
    let parts = try reading.readParts()
    try reading.finish()
    return parts
  }

  /// The parts in the payload of a poke's chunks, joined.
  public func parts(inPayload payload: [UInt8]) throws(JSONError) -> [PokePatches] {
    try payload.withUnsafeBufferPointer { bytes throws(JSONError) in
      try parts(inPayload: UnsafeRawBufferPointer(bytes))
    }
  }

  /// The part in a text message `["pokePart", body]`; nil if the message is another one.
  /// - Throws: also if the message is no array that begins with a string.
  public func part(
    inMessage message: UnsafeRawBufferPointer
  ) throws(JSONError) -> PokePatches? {
    var reading = PokeReading(try JSONReader(message, limits: limits), tables)
    guard let part = try reading.readMessage() else { return nil }
    try reading.finish()
    return part
  }

  /// The part in a text message `["pokePart", body]`; nil if the message is another one.
  public func part(inMessage message: [UInt8]) throws(JSONError) -> PokePatches? {
    try message.withUnsafeBufferPointer { bytes throws(JSONError) in
      try part(inMessage: UnsafeRawBufferPointer(bytes))
    }
  }

  private func hasByteOrderMark(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
  }
}
