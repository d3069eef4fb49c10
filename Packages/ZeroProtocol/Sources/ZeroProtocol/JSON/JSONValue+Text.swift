extension JSONValue {
  /// The text that `JSON.stringify` gives, as UTF-8.
  public var jsonText: [UInt8] {
    var text: [UInt8] = []
    text.appendJSON(self)
    return text
  }

  /// The text that `JSON.stringify` gives.
  public var jsonString: String { String(decoding: jsonText, as: UTF8.self) }

  /// The value of text that a row holds; null if it is no JSON or nested too deep, which text of a
  /// server is not but text from a damaged disk may be.
  init(storedText: UnsafeRawBufferPointer) {
    self = (try? JSONValue(storedJSON: storedText)) ?? .null
  }

  private init(storedJSON text: UnsafeRawBufferPointer) throws(JSONError) {
    let limits = JSONLimits(depth: JSONLimits.standard.depth, byteCount: .max)
    var reader = try JSONReader(text, limits: limits)
    reader.allowLargeTrees()
    self = try reader.readValue()
    try reader.finish()
  }
}

/// Printing JSON as `JSON.stringify` does: no white space, members in their order, numbers that are
/// not finite as null, minus zero as 0.
extension Array where Element == UInt8 {
  /// Appends the JSON text of `value`.
  @_spi(Engine) public mutating func appendJSON(_ value: JSONValue) {
    switch value {
    case .null: append(contentsOf: "null".utf8)
    case .bool(let value): appendJSON(value)
    case .number(let value): appendJSON(value)
    case .string(let value): appendJSON(value)
    case .array(let elements):
      append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { append(UInt8(ascii: ",")) }
        isFirst = false
        appendJSON(element)
      }
      append(UInt8(ascii: "]"))
    case .object(let object):
      append(UInt8(ascii: "{"))
      var isFirst = true
      for (key, value) in object.members {
        if !isFirst { append(UInt8(ascii: ",")) }
        isFirst = false
        appendJSON(key)
        append(UInt8(ascii: ":"))
        appendJSON(value)
      }
      append(UInt8(ascii: "}"))
    }
  }

  /// Appends `true` or `false`.
  @_spi(Engine) public mutating func appendJSON(_ value: Bool) {
    append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Appends a number as JavaScript prints it, null for one that is not finite.
  @_spi(Engine) public mutating func appendJSON(_ value: Double) {
    if value.isFinite { appendNumber(value) } else { append(contentsOf: "null".utf8) }
  }

  /// Appends a string, quoted.
  @_spi(Engine) public mutating func appendJSON(_ value: String) {
    var value = value
    value.withUTF8 { appendJSON(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Appends a string given as valid UTF-8, quoted.
  @_spi(Engine) public mutating func appendJSON(utf8 text: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    var rest = text
    while true {
      let count = plainCount(rest)
      append(contentsOf: UnsafeRawBufferPointer(rebasing: rest[..<count]))
      guard count < rest.count else { break }
      appendEscape(rest[count])
      rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
    }
    append(UInt8(ascii: "\""))
  }

  // MARK: -

  private mutating func appendEscape(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x22, 0x5C: append(byte)
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    default:
      append(contentsOf: "u00".utf8)
      append(UInt8(ascii: "0") + byte >> 4)
      append((byte & 15 < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) + byte & 15)
    }
  }
}

/// How many bytes from the first on stand for themselves in a JSON string.
private func plainCount(_ text: UnsafeRawBufferPointer) -> Int {
  var place = 0
  while text.count - place >= 8 {
    let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    let hits = StringStops.marks(word)
    if hits != 0 { return place + hits.trailingZeroBitCount / 8 }
    place += 8
  }
  while place < text.count, !StringStops.isStop(text[place]) { place += 1 }
  return place
}
