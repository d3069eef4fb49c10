/// Something that stands in a message, with its JSON form.
///
/// One description serves both directions of the protocol: unknown members are refused or ignored
/// as the decoder was told.
protocol MessagePart: Sendable {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> Self

  var jsonValue: JSONValue { get }
}

/// A part that is an object with members of its own.
protocol MessageObject: MessagePart {
  init(_ members: inout MemberReader) throws(JSONError)

  /// Writes the members in the reference's order.
  func write(_ members: inout MemberWriter)
}

extension MessageObject {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> Self {
    var members = MemberReader(try decoder.object(json), decoder)
    let value = try Self(&members)
    try members.finish()
    return value
  }

  var jsonValue: JSONValue {
    var members = MemberWriter()
    write(&members)
    return .object(members.object)
  }
}

extension MessagePart {
  /// Reads a part that stands alone.
  static func decode(
    _ json: JSONValue, unknownMembers: UnknownMembers, at path: JSONPath = []
  ) throws(JSONError) -> Self {
    var decoder = JSONTreeDecoder(unknownMembers: unknownMembers, at: path)
    return try read(json, &decoder)
  }
}

extension String: MessagePart {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> String {
    try decoder.string(json)
  }

  var jsonValue: JSONValue { .string(self) }
}

extension Double: MessagePart {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> Double {
    guard case .number(let number) = json else { throw decoder.mismatch("a number", json) }
    return number
  }

  var jsonValue: JSONValue { .number(self) }
}

extension Bool: MessagePart {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> Bool {
    try decoder.bool(json)
  }

  var jsonValue: JSONValue { .bool(self) }
}

extension JSONValue: MessagePart {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> JSONValue {
    json
  }

  var jsonValue: JSONValue { self }
}

extension JSONObject: MessagePart {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> JSONObject {
    try decoder.object(json)
  }

  var jsonValue: JSONValue { .object(self) }
}

extension Array: MessagePart where Element: MessagePart {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> [Element] {
    try decoder.array(json) { (decoder, element) throws(JSONError) in
      try Element.read(element, &decoder)
    }
  }

  var jsonValue: JSONValue { .array(map(\.jsonValue)) }
}

/// A word out of a fixed set.
protocol MessageLiteral: MessagePart, RawRepresentable<String>, CaseIterable {}

extension MessageLiteral {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> Self {
    try decoder.literal(json, Self.self)
  }

  var jsonValue: JSONValue { .string(rawValue) }
}
