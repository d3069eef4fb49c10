import ZeroProtocol

/// The schemas and data sets that cases refer to by name.
struct EngineFixtures: Sendable {
  let schemas: [String: ZeroSchema]
  private let data: [String: JSONObject]

  init(_ file: VectorFile) throws {
    guard case .object(let schemas) = try file.header("schemas"),
      case .object(let data) = try file.header("data")
    else { throw VectorFailure("schemas or data are no objects") }
    self.schemas = try Dictionary(
      uniqueKeysWithValues: schemas.members.map { ($0.key, try ZeroSchema(json: $0.value)) })
    self.data = try Dictionary(
      uniqueKeysWithValues: data.members.map { ($0.key, try $0.value.object($0.key)) })
  }

  func dataSet(_ name: String) throws -> JSONObject {
    guard let set = data[name] else { throw VectorFailure("no data set \(name)") }
    return set
  }

  func schema(_ name: String) throws -> ZeroSchema {
    guard let schema = schemas[name] else { throw VectorFailure("no schema \(name)") }
    return schema
  }
}

extension JSONValue {
  func object(_ what: String) throws -> JSONObject {
    guard case .object(let object) = self else { throw VectorFailure("\(what) is no object") }
    return object
  }

  func array(_ what: String) throws -> [JSONValue] {
    guard case .array(let array) = self else { throw VectorFailure("\(what) is no list") }
    return array
  }

  func string(_ what: String) throws -> String {
    guard case .string(let string) = self else { throw VectorFailure("\(what) is no string") }
    return string
  }

  func int(_ what: String) throws -> Int {
    guard case .number(let number) = self, let int = Int(exactly: number) else {
      throw VectorFailure("\(what) is no integer")
    }
    return int
  }
}

extension JSONObject {
  func require(_ field: String) throws -> JSONValue {
    guard let value = self[field] else { throw VectorFailure("no field \(field)") }
    return value
  }

  /// Fails on members other than these.
  func allow(_ fields: Set<String>, _ what: String) throws {
    for (field, _) in members where !fields.contains(field) {
      throw VectorFailure("field \(field) of \(what) is not understood")
    }
  }
}
