extension JSONValue {
  /// The text that `JSON.stringify` gives, as UTF-8.
  public var jsonText: [UInt8] {
    var text = ByteBuffer(capacity: 1024)
    text.put(self)
    return Array(text.bytes)
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
extension ByteSink where Self: ~Copyable {
  /// Appends the JSON text of `value`.
  mutating func put(_ value: JSONValue) {
    append(value, levels: Self.recursiveLevels)
  }

  /// Appends `true` or `false`.
  mutating func put(_ value: Bool) {
    append(known: value ? "true" : "false")
  }

  /// Appends a number as JavaScript prints it, null for one that is not finite.
  mutating func put(_ value: Double) {
    if value.isFinite { appendNumber(value) } else { append(known: "null") }
  }

  /// Appends a string, quoted.
  mutating func put(_ value: String) {
    var value = value
    value.withUTF8 { put(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Appends a string given as valid UTF-8, quoted.
  mutating func put(utf8 text: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    var rest = text
    while true {
      let count = plainCount(rest)
      append(UnsafeRawBufferPointer(rebasing: rest[..<count]))
      guard count < rest.count else { break }
      appendEscape(rest[count])
      rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
    }
    append(UInt8(ascii: "\""))
  }

  // MARK: -

  /// Levels that are printed by calls inside calls, which is fast and takes much stack where code is not
  /// optimized.
  private static var recursiveLevels: Int { 32 }

  private mutating func append(_ value: JSONValue, levels: Int) {
    switch value {
    case .null: append(known: "null")
    case .bool(let value): put(value)
    case .number(let value): put(value)
    case .string(let value): put(value)
    case .array, .object: appendContainer(value, levels: levels)
    }
  }

  private mutating func appendContainer(_ value: JSONValue, levels: Int) {
    guard levels > 0 else { return appendDeep(value) }
    switch value {
    case .array(let elements):
      append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { append(UInt8(ascii: ",")) }
        isFirst = false
        append(element, levels: levels - 1)
      }
      append(UInt8(ascii: "]"))
    case .object(let object):
      append(UInt8(ascii: "{"))
      var isFirst = true
      for (key, value) in object.members {
        if !isFirst { append(UInt8(ascii: ",")) }
        isFirst = false
        put(key)
        append(UInt8(ascii: ":"))
        append(value, levels: levels - 1)
      }
      append(UInt8(ascii: "}"))
    case .null, .bool, .number, .string: break
    }
  }

  /// Appends the text of an array or object without calls inside calls.
  private mutating func appendDeep(_ value: JSONValue) {
    var open: [OpenText] = []
    var next: JSONValue? = value
    while true {
      switch next {
      case .array(let elements)?:
        append(UInt8(ascii: "["))
        open.append(OpenText(values: elements, keys: nil))
      case .object(let object)?:
        append(UInt8(ascii: "{"))
        open.append(
          OpenText(values: object.members.map(\.value), keys: object.members.map(\.key)))
      case let value?: append(value, levels: 0)
      case nil:
        append(open.removeLast().keys == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        if open.isEmpty { return }
      }
      next = appendStart(of: &open[open.count - 1])
    }
  }

  /// Appends what stands before the next value of an array or object.
  /// - Returns: the value; nil at the end.
  private mutating func appendStart(of container: inout OpenText) -> JSONValue? {
    let place = container.next
    guard place < container.values.count else { return nil }
    container.next += 1
    if place > 0 { append(UInt8(ascii: ",")) }
    if let keys = container.keys {
      put(keys[place])
      append(UInt8(ascii: ":"))
    }
    return container.values[place]
  }

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
      append(known: "u00")
      append(UInt8(ascii: "0") + byte >> 4)
      append((byte & 15 < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) + byte & 15)
    }
  }
}

/// An array or object that is being printed.
private struct OpenText {
  let values: [JSONValue]
  /// Nil for an array.
  let keys: [String]?
  var next = 0
}

extension Array where Element == UInt8 {
  /// Appends the JSON text of `value`.
  @_spi(Engine) public mutating func appendJSON(_ value: JSONValue) { put(value) }

  /// Appends `true` or `false`.
  @_spi(Engine) public mutating func appendJSON(_ value: Bool) { put(value) }

  /// Appends a number as JavaScript prints it, null for one that is not finite.
  @_spi(Engine) public mutating func appendJSON(_ value: Double) { put(value) }

  /// Appends a string, quoted.
  @_spi(Engine) public mutating func appendJSON(_ value: String) { put(value) }

  /// Appends a string given as valid UTF-8, quoted.
  @_spi(Engine) public mutating func appendJSON(utf8 text: UnsafeRawBufferPointer) {
    put(utf8: text)
  }

  /// Appends an integer in decimal.
  @_spi(Engine) public mutating func appendInteger(_ value: Int64) { appendDecimal(value) }
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
