public import ZeroProtocol

/// One recorded case: its input and what came out.
public struct VectorCase: Sendable {
  /// Unique within its file.
  public let id: String
  /// All members as they stand in the file.
  public let object: JSONObject

  public init(id: String, object: JSONObject) {
    self.id = id
    self.object = object
  }

  public func has(_ field: String) -> Bool { object[field] != nil }

  /// A field as it stands in the file.
  public func json(_ field: String) throws -> JSONValue {
    guard let value = object[field] else { throw VectorFailure("no field \(field)") }
    return value
  }

  /// A field written in the encoding for values that JSON lacks.
  public func value(_ field: String) throws -> VectorValue {
    try VectorValue(try json(field))
  }

  public func string(_ field: String) throws -> String {
    guard case .string(let string) = try json(field) else {
      throw VectorFailure("\(field) is no string")
    }
    return string
  }

  public func bool(_ field: String) throws -> Bool {
    guard case .bool(let bool) = try json(field) else { throw VectorFailure("\(field) is no bool") }
    return bool
  }

  public func number(_ field: String) throws -> Double {
    guard case .number(let number) = try json(field) else {
      throw VectorFailure("\(field) is no number")
    }
    return number
  }

  public func int(_ field: String) throws -> Int {
    guard let int = Int(exactly: try number(field)) else {
      throw VectorFailure("\(field) is no integer")
    }
    return int
  }

  public func array(_ field: String) throws -> [JSONValue] {
    guard case .array(let array) = try json(field) else {
      throw VectorFailure("\(field) is no array")
    }
    return array
  }

  public func object(_ field: String) throws -> JSONObject {
    guard case .object(let object) = try json(field) else {
      throw VectorFailure("\(field) is no object")
    }
    return object
  }
}
