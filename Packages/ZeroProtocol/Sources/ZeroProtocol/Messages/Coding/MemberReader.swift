/// Takes the members of one object, and then knows which ones nobody asked for.
struct MemberReader {
  let object: JSONObject
  private(set) var decoder: JSONTreeDecoder
  private var known: [String] = []

  init(_ object: JSONObject, _ decoder: JSONTreeDecoder) {
    self.object = object
    self.decoder = decoder
  }

  /// Whether there is a member of that name, null included.
  func has(_ name: String) -> Bool { object[name] != nil }

  /// A member that must be there.
  mutating func required<T: MessagePart>(
    _ name: String, as type: T.Type = T.self
  ) throws(JSONError) -> T {
    known.append(name)
    return try decoder.member(name, of: object) { (decoder, value) throws(JSONError) in
      try T.read(value, &decoder)
    }
  }

  /// A member that may be missing. Null is a value like any other, and most types refuse it.
  mutating func optional<T: MessagePart>(
    _ name: String, as type: T.Type = T.self
  ) throws(JSONError) -> T? {
    known.append(name)
    return try decoder.optional(name, of: object) { (decoder, value) throws(JSONError) in
      try T.read(value, &decoder)
    }
  }

  /// A member that must be there and may be null, for which nil stands.
  mutating func nullable<T: MessagePart>(
    _ name: String, as type: T.Type = T.self
  ) throws(JSONError) -> T? {
    if case .null? = object[name] {
      known.append(name)
      return nil
    }
    return try required(name)
  }

  /// A member that may be missing and may be null.
  mutating func field<T: MessagePart>(
    _ name: String, as type: T.Type = T.self
  ) throws(JSONError) -> Field<T> {
    guard has(name) else {
      known.append(name)
      return .absent
    }
    return try nullable(name).map { .value($0) } ?? .null
  }

  /// A member whose value is not looked at.
  mutating func ignored(_ name: String) { known.append(name) }

  /// An error at a member, or at the object itself.
  func error(_ code: JSONError.Code, at name: String? = nil, _ message: String) -> JSONError {
    let error = decoder.error(code, message)
    guard let name else { return error }
    return JSONError(code, path: error.path.appending(.key(name)), message: message)
  }

  /// Refuses members that nobody asked for, where that is the rule.
  func finish() throws(JSONError) { try decoder.refuseUnknown(object, known: known) }
}

/// Collects the members of one object in order.
struct MemberWriter {
  private(set) var object = JSONObject()

  mutating func put(_ name: String, _ value: some MessagePart) { object[name] = value.jsonValue }

  /// Leaves the member out for nil.
  mutating func putIfPresent(_ name: String, _ value: (some MessagePart)?) {
    if let value { object[name] = value.jsonValue }
  }

  /// Writes null for nil.
  mutating func putOrNull(_ name: String, _ value: (some MessagePart)?) {
    object[name] = value?.jsonValue ?? .null
  }

  mutating func put(_ name: String, _ value: Field<some MessagePart>) {
    switch value {
    case .absent: break
    case .null: object[name] = .null
    case .value(let value): object[name] = value.jsonValue
    }
  }
}
