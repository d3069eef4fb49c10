public import ZeroProtocol

/// A JavaScript value as vectors write it, with `$` objects for what JSON lacks.
public enum VectorValue: Sendable {
  case undefined
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  /// A string with surrogates that have no partner, as UTF-16 code units.
  case loneSurrogates([UInt16])
  /// An integer of arbitrary size, in decimal.
  case bigint(String)
  case bytes([UInt8])
  case array([VectorValue])
  /// Members in order of insertion.
  case object([(key: String, value: VectorValue)])

  /// Decodes the `$` encoding.
  public init(_ json: JSONValue) throws {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .array(let elements): self = .array(try elements.map { try VectorValue($0) })
    case .object(let object):
      if let marker = object["$"] {
        self = try VectorValue(marker: marker, object)
      } else {
        self = .object(try object.members.map { ($0.key, try VectorValue($0.value)) })
      }
    }
  }

  /// The JSON value: undefined members vanish and such elements become null. Nil for undefined.
  ///
  /// - Throws: ``Inexpressible`` if it contains lone surrogates, a bigint or bytes.
  public func json() throws -> JSONValue? {
    switch self {
    case .undefined: return nil
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .number(let value): return .number(value)
    case .string(let value): return .string(value)
    case .loneSurrogates: throw Inexpressible("a surrogate without its partner")
    case .bigint: throw Inexpressible("an integer of arbitrary size")
    case .bytes: throw Inexpressible("bytes")
    case .array(let elements): return .array(try elements.map { try $0.json() ?? .null })
    case .object(let members):
      return .object(
        JSONObject(
          try members.compactMap { member in
            try member.value.json().map { (member.key, $0) }
          }))
    }
  }

  /// The string. Lone surrogates become U+FFFD.
  public func text() throws -> String {
    switch self {
    case .string(let value): return value
    case .loneSurrogates(let units): return String(decoding: units, as: UTF16.self)
    default: throw VectorFailure("\(self) is no string")
    }
  }

  /// The value of a column: undefined is absent.
  public func columnValue() throws -> Value {
    switch try json() {
    case nil: .absent
    case .null?: .null
    case .bool(let value)?: .bool(value)
    case .number(let value)?: .number(value)
    case .string(let value)?: .string(value)
    case .some(let value): .json(value)
    }
  }

  /// Whether a part of it is a string that Swift strings cannot hold.
  public var hasLoneSurrogates: Bool {
    switch self {
    case .loneSurrogates: true
    case .array(let elements): elements.contains { $0.hasLoneSurrogates }
    case .object(let members): members.contains { $0.value.hasLoneSurrogates }
    default: false
    }
  }

  public var isUndefined: Bool {
    if case .undefined = self { true } else { false }
  }

  /// A case cannot be stated because its value does not exist on this side: a string with a
  /// surrogate that lacks its partner, for one.
  public struct Inexpressible: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
  }

  // MARK: -

  private init(marker: JSONValue, _ object: JSONObject) throws {
    func fields(_ names: Set<String>) throws {
      let found = Set(object.members.map(\.key))
      guard found == names.union(["$"]) else {
        throw VectorFailure("encoded value \(marker.jsonString) with fields \(found.sorted())")
      }
    }
    switch (marker, object["v"]) {
    case (.string("undefined"), nil): self = .undefined
    case (.string("-0"), nil): self = .number(-0.0)
    case (.string("NaN"), nil): self = .number(.nan)
    case (.string("Infinity"), nil): self = .number(.infinity)
    case (.string("-Infinity"), nil): self = .number(-.infinity)
    case (.string("bigint"), .string(let digits)?): self = .bigint(digits)
    case (.string("utf16"), .array(let units)?):
      self = .loneSurrogates(
        try units.map {
          guard case .number(let unit) = $0, let unit = UInt16(exactly: unit) else {
            throw VectorFailure("\($0) is no code unit")
          }
          return unit
        })
    case (.string("bytes"), .string(let text)?): self = .bytes(try decodeBase64(text))
    case (.string("object"), .array(let members)?):
      self = .object(
        try members.map {
          guard case .array(let pair) = $0, pair.count == 2 else {
            throw VectorFailure("\($0) is no member")
          }
          let name = try VectorValue(pair[0])
          if name.hasLoneSurrogates {
            throw Inexpressible("a surrogate without its partner in the name of a member")
          }
          let key = try name.text()
          return (key, try VectorValue(pair[1]))
        })
    default: throw VectorFailure("unknown encoded value \(JSONValue.object(object).jsonString)")
    }
    try fields(object["v"] == nil ? [] : ["v"])
  }
}

/// The bytes of text in base64.
public func decodeBase64(_ text: String) throws -> [UInt8] {
  var bytes: [UInt8] = []
  var bits: UInt32 = 0
  var count = 0
  for letter in text.utf8 where letter != UInt8(ascii: "=") {
    let value: UInt8
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = letter - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): value = letter - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = letter - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): value = 62
    case UInt8(ascii: "/"): value = 63
    default: throw VectorFailure("\(text) is not in base64")
    }
    bits = bits << 6 | UInt32(value)
    count += 6
    if count >= 8 {
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
  }
  return bytes
}
