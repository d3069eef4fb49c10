extension JSONReader {
  /// Checks and skips the value that comes next, whatever it is; returns its text.
  @discardableResult
  public mutating func skipValue() throws(JSONError) -> UnsafeRawBufferPointer {
    let kind = try peekKind()
    let first = cursor
    switch kind {
    case .null: _ = try readNull()
    case .bool: _ = try readBool()
    case .number: _ = try scanNumber()
    case .string: _ = try readString()
    case .array:
      try enterArray()
      var isFirst = true
      while try nextElement(&isFirst) { try skipValue() }
    case .object:
      try enterObject()
      var isFirst = true
      while try nextKey(&isFirst) != nil { try skipValue() }
    }
    return UnsafeRawBufferPointer(start: first, count: cursor - first)
  }

  /// The value that comes next, as a tree.
  public mutating func readValue() throws(JSONError) -> JSONValue {
    switch try peekKind() {
    case .null:
      _ = try readNull()
      return .null
    case .bool: return .bool(try readBool())
    case .number: return .number(try readNumber())
    case .string: return .string(try readText())
    case .array:
      try enterArray()
      var elements: [JSONValue] = []
      var isFirst = true
      while try nextElement(&isFirst) { elements.append(try readValue()) }
      return .array(elements)
    case .object:
      try enterObject()
      var members: [(key: String, value: JSONValue)] = []
      var isFirst = true
      while let bytes = try nextKey(&isFirst) {
        let key = String(decoding: bytes, as: UTF8.self)
        members.append((key, try readValue()))
      }
      return .object(JSONObject(members: members))
    }
  }
}

extension JSONValue {
  /// The value of JSON text, as JavaScript's `JSON.parse` reads it: see ``JSONReader``.
  /// - Throws: what is wrong with the text, with its byte offset and the path to it.
  public init(
    parsing text: UnsafeRawBufferPointer, limits: JSONLimits = .standard
  ) throws(JSONError) {
    var reader = try JSONReader(text, limits: limits)
    self = try reader.readValue()
    try reader.finish()
  }

  /// The value of JSON text given as UTF-8.
  public init(parsing text: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
    self = try text.withUnsafeBufferPointer { bytes throws(JSONError) in
      try JSONValue(parsing: UnsafeRawBufferPointer(bytes), limits: limits)
    }
  }

  /// The value of JSON text given as a string.
  public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
    self = try JSONValue(parsing: Array(text.utf8), limits: limits)
  }
}
