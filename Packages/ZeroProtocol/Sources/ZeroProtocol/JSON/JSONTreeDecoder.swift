/// Whether objects may have members that this version does not know.
public enum UnknownMembers: Sendable { case refused, kept }

/// Reads a model from a JSON tree, and knows the path to where it is.
struct JSONTreeDecoder {
  let unknownMembers: UnknownMembers
  private var path: [JSONPath.Element]
  private var depth = 0

  /// Reading one level takes some kilobytes of stack, of which a thread may have only 512.
  private static let depthLimit = 100

  init(unknownMembers: UnknownMembers, at path: JSONPath = []) {
    self.unknownMembers = unknownMembers
    self.path = path.elements
  }

  func error(_ code: JSONError.Code, _ message: String) -> JSONError {
    JSONError(code, path: JSONPath(path), message: message)
  }

  func mismatch(_ expected: String, _ value: JSONValue) -> JSONError {
    error(.wrongType, "expected \(expected), got \(value.kind.name)")
  }

  func object(_ value: JSONValue) throws(JSONError) -> JSONObject {
    guard case .object(let object) = value else { throw mismatch("an object", value) }
    return object
  }

  func string(_ value: JSONValue) throws(JSONError) -> String {
    guard case .string(let string) = value else { throw mismatch("a string", value) }
    return string
  }

  func bool(_ value: JSONValue) throws(JSONError) -> Bool {
    guard case .bool(let bool) = value else { throw mismatch("a boolean", value) }
    return bool
  }

  mutating func strings(_ value: JSONValue) throws(JSONError) -> [String] {
    try array(value) { (decoder, value) throws(JSONError) in try decoder.string(value) }
  }

  mutating func array<T>(
    _ value: JSONValue, _ read: (inout JSONTreeDecoder, JSONValue) throws(JSONError) -> T
  ) throws(JSONError) -> [T] {
    guard case .array(let elements) = value else { throw mismatch("an array", value) }
    var result: [T] = []
    result.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      result.append(
        try inside(.index(index)) { (decoder) throws(JSONError) in try read(&decoder, element) })
    }
    return result
  }

  /// Reads the members of an object whose names are data.
  mutating func entries<T>(
    _ value: JSONValue, _ read: (inout JSONTreeDecoder, String, JSONValue) throws(JSONError) -> T
  ) throws(JSONError) -> [T] {
    var result: [T] = []
    for (name, value) in try object(value).members {
      result.append(
        try inside(.key(name)) { (decoder) throws(JSONError) in try read(&decoder, name, value) })
    }
    return result
  }

  func literal<T: RawRepresentable<String> & CaseIterable>(
    _ value: JSONValue, _: T.Type
  ) throws(JSONError) -> T {
    // Strings are equal to more than their own bytes, words of the wire are not.
    if case .string(let text) = value, let literal = T(rawValue: text),
      literal.rawValue.utf8.elementsEqual(text.utf8)
    {
      return literal
    }
    let choices = T.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    throw error(.invalidValue, "expected one of \(choices)")
  }

  mutating func literal<T: RawRepresentable<String> & CaseIterable>(
    _ name: String, of object: JSONObject, _ type: T.Type
  ) throws(JSONError) -> T {
    try member(name, of: object) { (decoder, value) throws(JSONError) in
      try decoder.literal(value, type)
    }
  }

  mutating func member<T>(
    _ name: String, of object: JSONObject,
    _ read: (inout JSONTreeDecoder, JSONValue) throws(JSONError) -> T
  ) throws(JSONError) -> T {
    try inside(.key(name)) { (decoder) throws(JSONError) in
      guard let value = object[name] else {
        throw decoder.error(.missingMember, "the member is missing")
      }
      return try read(&decoder, value)
    }
  }

  mutating func optional<T>(
    _ name: String, of object: JSONObject,
    _ read: (inout JSONTreeDecoder, JSONValue) throws(JSONError) -> T
  ) throws(JSONError) -> T? {
    guard let value = object[name] else { return nil }
    return try inside(.key(name)) { (decoder) throws(JSONError) in try read(&decoder, value) }
  }

  func refuseUnknown(_ object: JSONObject, known: [String]) throws(JSONError) {
    guard unknownMembers == .refused else { return }
    for (name, _) in object.members
    where !known.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
      throw error(.unknownMember, "the member \"\(excerpt(name))\" is not known")
    }
  }

  mutating func inside<T>(
    _ step: JSONPath.Element, _ read: (inout JSONTreeDecoder) throws(JSONError) -> T
  ) throws(JSONError) -> T {
    path.append(step)
    let value = try read(&self)
    path.removeLast()
    return value
  }

  /// Goes to a member, which must be there. ``leave()`` goes back.
  mutating func enterMember(_ name: String, of object: JSONObject) throws(JSONError) -> JSONValue {
    path.append(.key(name))
    guard let value = object[name] else {
      throw error(.missingMember, "the member is missing")
    }
    return value
  }

  /// Goes to a member or an element. ``leave()`` goes back.
  mutating func enter(_ step: JSONPath.Element) { path.append(step) }

  mutating func leave() { path.removeLast() }

  /// Begins to read one level of queries and groups further down.
  mutating func enterLevel() throws(JSONError) {
    guard depth < Self.depthLimit else {
      throw error(.tooDeep, "more than \(Self.depthLimit) queries and groups inside each other")
    }
    depth += 1
  }

  mutating func leaveLevel() { depth -= 1 }
}
