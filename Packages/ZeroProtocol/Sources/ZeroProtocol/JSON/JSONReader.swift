/// Reads JSON text token by token, from UTF-8 bytes that the caller keeps alive and unchanged.
///
/// Takes what JavaScript's `JSON.parse` takes: no byte order mark, no comments, numbers beyond the
/// range of a double become infinite or zero. Escapes of a surrogate without its partner, which
/// UTF-8 cannot hold, become U+FFFD. Nothing is skipped unchecked: text that has been read or
/// skipped to its end was valid JSON in valid UTF-8, and inside the limits.
@_spi(Engine) public struct JSONReader: ~Copyable {
  let start: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  var cursor: UnsafePointer<UInt8>
  let limits: JSONLimits
  var depth = 0
  /// Memory of the trees that were made, roughly.
  var treeBytes = 0
  /// Whether errors say their path, which takes reading the text up to them once more.
  var findsPaths = true
  /// Where strings with escapes are put together.
  var scratch = ByteBuffer()

  /// - Parameter text: valid for as long as the reader is used.
  /// - Throws: `tooLarge` if the text is over the limit.
  public init(_ text: UnsafeRawBufferPointer, limits: JSONLimits = .standard) throws(JSONError) {
    try self.init(text, startingAt: 0, limits: limits)
  }

  /// - Parameter offset: where reading begins; what is before is passed over.
  init(
    _ text: UnsafeRawBufferPointer, startingAt offset: Int, limits: JSONLimits
  ) throws(JSONError) {
    let limits = JSONLimits(depth: limits.depth, byteCount: min(limits.byteCount, .maxText))
    self.limits = limits
    if let base = text.baseAddress {
      start = base.assumingMemoryBound(to: UInt8.self)
    } else {
      let nothing: StaticString = ""
      start = nothing.utf8Start
    }
    end = start + text.count
    cursor = start + offset
    guard text.count <= limits.byteCount else {
      throw JSONError(
        .tooLarge, byteOffset: limits.byteCount,
        message: "\(text.count) bytes of text, the limit is \(limits.byteCount)")
    }
  }

  /// Offset in bytes of the next byte to read.
  public var offset: Int { cursor - start }

  /// The kind of a value, told by its first byte.
  public enum Kind: Sendable { case null, bool, number, string, array, object }

  /// The kind of the value that comes next.
  /// - Throws: `unexpectedEnd`, `unexpectedByte`.
  public mutating func peekKind() throws(JSONError) -> Kind {
    switch peek() {
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return .number
    default: throw unexpected("a value")
    }
  }

  /// Reads `null` if that comes next.
  public mutating func readNull() throws(JSONError) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try expect("null", count: 4)
    return true
  }

  /// - Throws: `wrongType` if something else comes next.
  public mutating func readBool() throws(JSONError) -> Bool {
    switch peek() {
    case UInt8(ascii: "t"):
      try expect("true", count: 4)
      return true
    case UInt8(ascii: "f"):
      try expect("false", count: 5)
      return false
    default: throw try mismatch("a boolean")
    }
  }

  /// Enters the array that comes next.
  public mutating func enterArray() throws(JSONError) {
    guard peek() == UInt8(ascii: "[") else { throw try mismatch("an array") }
    try enter()
  }

  /// Whether another element follows; leaves the array if none does.
  /// - Parameter isFirst: true before the first element; set to false by the call.
  public mutating func nextElement(_ isFirst: inout Bool) throws(JSONError) -> Bool {
    let byte = peek()
    if byte == UInt8(ascii: ",") && !isFirst {
      cursor += 1
      return true
    }
    if byte == UInt8(ascii: "]") {
      cursor += 1
      depth -= 1
      return false
    }
    guard isFirst else { throw unexpected("a comma or the end of the array") }
    isFirst = false
    return true
  }

  /// Enters the object that comes next.
  public mutating func enterObject() throws(JSONError) {
    guard peek() == UInt8(ascii: "{") else { throw try mismatch("an object") }
    try enter()
  }

  /// The next member's key, after which its value comes; leaves the object and returns nil if there
  /// is none. The bytes are valid until the reader is used again.
  /// - Parameter isFirst: true before the first member; set to false by the call.
  public mutating func nextKey(_ isFirst: inout Bool) throws(JSONError) -> UnsafeRawBufferPointer? {
    var byte = peek()
    if byte == UInt8(ascii: "}") {
      cursor += 1
      depth -= 1
      return nil
    }
    if isFirst {
      isFirst = false
    } else {
      guard byte == UInt8(ascii: ",") else { throw unexpected("a comma or the end of the object") }
      cursor += 1
      byte = peek()
    }
    guard byte == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
    let key = try readString()
    guard peek() == UInt8(ascii: ":") else { throw unexpected("a colon") }
    cursor += 1
    return key
  }

  /// Checks that only white space is left.
  /// - Throws: `trailingText`.
  public mutating func finish() throws(JSONError) {
    _ = peek()
    guard cursor == end else { throw error(.trailingText, "text follows the value") }
  }

  // MARK: -

  /// A place in the text to which reading can go back.
  struct Mark {
    fileprivate let cursor: UnsafePointer<UInt8>
    fileprivate let depth: Int
  }

  /// The place of the next byte.
  var mark: Mark { Mark(cursor: cursor, depth: depth) }

  mutating func rewind(to mark: Mark) {
    cursor = mark.cursor
    depth = mark.depth
  }

  /// Takes `expected` if the text goes on with just these bytes.
  @inline(__always)
  mutating func take(_ expected: UnsafeRawBufferPointer) -> Bool {
    guard end - cursor >= expected.count,
      equalBytes(UnsafeRawBufferPointer(start: cursor, count: expected.count), expected)
    else { return false }
    cursor += expected.count
    return true
  }

  /// Takes `expected`, which enters an object, if the text goes on with just these bytes.
  mutating func takeObjectStart(_ expected: [UInt8]) throws(JSONError) -> Bool {
    guard depth < limits.depth, expected.withUnsafeBytes({ take($0) }) else { return false }
    depth += 1
    return true
  }

  /// Leaves the object whose closing brace comes next.
  mutating func leave() {
    cursor += 1
    depth -= 1
  }

  /// Whether bytes that were read are a part of the text, not put together from escapes.
  @inline(__always)
  func lends(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    return base >= UnsafeRawPointer(start) && base < UnsafeRawPointer(end)
  }

  /// The next byte that is not white space, without taking it; 0 at the end.
  @inline(__always)
  mutating func peek() -> UInt8 {
    while cursor < end {
      let byte = cursor.pointee
      if byte > 0x20 { return byte }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      cursor += 1
    }
    return 0
  }

  @inline(__always)
  private mutating func enter() throws(JSONError) {
    guard depth < limits.depth else {
      throw error(.tooDeep, "more than \(limits.depth) levels of arrays and objects")
    }
    depth += 1
    cursor += 1
  }

  private mutating func expect(_ word: StaticString, count: Int) throws(JSONError) {
    for i in 0..<count {
      guard cursor + i < end else {
        throw error(.unexpectedEnd, "the text ends inside \(word)", at: cursor + i)
      }
      guard cursor[i] == word.utf8Start[i] else {
        throw error(.unexpectedByte, "expected \(word)", at: cursor + i)
      }
    }
    cursor += count
  }
}

extension Int {
  /// Bytes of text that offsets in rows can address.
  fileprivate static let maxText = Int(Int32.max)
}
