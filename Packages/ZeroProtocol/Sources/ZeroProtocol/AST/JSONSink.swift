/// Takes a JSON value piece by piece, so that one description of a node makes both its text and its
/// tree. Members follow their key; the calls nest properly.
protocol JSONSink: ~Copyable {
  mutating func beginObject()
  mutating func endObject()
  mutating func beginArray()
  mutating func endArray()
  /// A key that needs no escapes.
  mutating func key(known name: StaticString)
  mutating func key(_ name: String)
  /// Text that needs no escapes.
  mutating func put(known text: StaticString)
  mutating func put(_ text: String)
  mutating func put(_ number: Double)
  mutating func put(_ bool: Bool)
  mutating func put(_ value: JSONValue)
}

extension JSONSink where Self: ~Copyable {
  mutating func put(_ strings: [String]) {
    beginArray()
    for string in strings { put(string) }
    endArray()
  }
}

/// Makes the text that `JSON.stringify` gives.
struct JSONTextSink: ~Copyable, JSONSink {
  private var text = ByteBuffer(capacity: 2048)
  /// Whether a value or key that comes next is not the first of its container.
  private var needsComma = false

  init() {}

  /// The text so far, valid until the sink is used again.
  var bytes: UnsafeRawBufferPointer { text.bytes }

  mutating func beginObject() { open(UInt8(ascii: "{")) }
  mutating func endObject() { close(UInt8(ascii: "}")) }
  mutating func beginArray() { open(UInt8(ascii: "[")) }
  mutating func endArray() { close(UInt8(ascii: "]")) }

  mutating func key(known name: StaticString) {
    quote(name)
    text.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func key(_ name: String) {
    put(name)
    text.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func put(known text: StaticString) { quote(text) }

  mutating func put(_ string: String) {
    separate()
    text.put(string)
  }

  mutating func put(_ number: Double) {
    separate()
    text.put(number)
  }

  mutating func put(_ bool: Bool) {
    separate()
    text.put(bool)
  }

  mutating func put(_ value: JSONValue) {
    separate()
    text.put(value)
  }

  // MARK: -

  private mutating func separate() {
    if needsComma { text.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    text.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    text.append(bracket)
    needsComma = true
  }

  private mutating func quote(_ known: StaticString) {
    separate()
    text.append(UInt8(ascii: "\""))
    text.append(known: known)
    text.append(UInt8(ascii: "\""))
  }
}

/// Makes a `JSONValue`.
struct JSONValueSink: JSONSink {
  private enum Container {
    case object(JSONObject, key: String)
    case array([JSONValue])
  }

  private(set) var value = JSONValue.null
  private var open: [Container] = []

  mutating func beginObject() { open.append(.object(JSONObject(), key: "")) }
  mutating func endObject() { close() }
  mutating func beginArray() { open.append(.array([])) }
  mutating func endArray() { close() }

  mutating func key(_ name: String) {
    if case .object(let object, _)? = open.popLast() { open.append(.object(object, key: name)) }
  }

  mutating func key(known name: StaticString) { key("\(name)") }
  mutating func put(known text: StaticString) { put(.string("\(text)")) }
  mutating func put(_ string: String) { put(.string(string)) }
  mutating func put(_ number: Double) { put(.number(number)) }
  mutating func put(_ bool: Bool) { put(.bool(bool)) }

  mutating func put(_ value: JSONValue) {
    switch open.popLast() {
    case .object(var object, let key)?:
      object[key] = value
      open.append(.object(object, key: key))
    case .array(var elements)?:
      elements.append(value)
      open.append(.array(elements))
    case nil: self.value = value
    }
  }

  // MARK: -

  private mutating func close() {
    switch open.popLast() {
    case .object(let object, _)?: put(.object(object))
    case .array(let elements)?: put(.array(elements))
    case nil: break
    }
  }
}
