import ZeroProtocol

/// A client of the database, its own or one of an earlier process.
struct ClientRecord: Sendable, Equatable {
  var group: String
  /// Wall time of the last sign of life, in milliseconds.
  var heartbeat: Double
}

/// A client group: clients that share rows, cookie and pending mutations.
struct GroupRecord: Sendable, Equatable {
  /// Counts up: gives the order in which groups were made.
  var created: Int
  /// Names of the mutators of the client that made it, sorted.
  var mutators: [String]
  /// Not to be joined or pushed for any more.
  var isDisabled: Bool
  var cookie: String?
}

/// A mutation that ran here and that the server has not confirmed.
struct PendingMutation: Sendable, Equatable {
  /// Place in the chain of the group's mutations.
  var sequence: UInt64
  var clientID: String
  var id: Int
  var name: String
  var args: JSONValue
  /// Wall time of the call in milliseconds.
  var timestamp: Double
  /// Monotonic time of the call; nil for a mutation of an earlier process.
  var monotonicTime: Double?
}

/// A mutation that will never take effect, kept until the app acknowledges it.
struct RefusedRecord: Sendable, Equatable {
  var sequence: UInt64
  var clientID: String
  var id: Int
  var name: String
  var args: JSONValue
  var timestamp: Double
  /// `app` when the mutator on the server failed, otherwise why it was never decided.
  var kind: String
  var message: String
  var details: JSONValue?
}

/// Values of the database's tables: one format byte, then JSON text.
enum StorageValue {
  /// First byte of a value in JSON.
  static let json: UInt8 = 1
  /// First byte of a packed row.
  static let packedRow: UInt8 = 2

  static func encode(_ members: JSONObject) -> [UInt8] {
    var bytes = [json]
    bytes.append(contentsOf: JSONValue.object(members).jsonText)
    return bytes
  }

  /// - Throws: `StoreError` with code `corrupt` if the bytes are no such value.
  static func decode(_ value: RawSpan, _ what: String) throws -> JSONObject {
    try value.withUnsafeBytes { bytes in
      guard bytes.first == json,
        case .object(let object)? = try? JSONValue(
          parsing: UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
      else { throw corrupt(what) }
      return object
    }
  }

  static func corrupt(_ what: String) -> StoreError {
    StoreError(
      .corrupt,
      message: "a record of \(what) is unreadable")
  }
}

extension ClientRecord {
  var stored: [UInt8] {
    StorageValue.encode(["group": .string(group), "heartbeat": .number(heartbeat)])
  }

  init(stored: RawSpan) throws {
    let object = try StorageValue.decode(stored, "a client")
    group = try object.string("group", "a client")
    heartbeat = try object.number("heartbeat", "a client")
  }
}

extension GroupRecord {
  var stored: [UInt8] {
    StorageValue.encode([
      "created": .number(Double(created)), "mutators": .array(mutators.map { .string($0) }),
      "disabled": .bool(isDisabled), "cookie": cookie.map { .string($0) } ?? .null,
    ])
  }

  init(stored: RawSpan) throws {
    let what = "a client group"
    let object = try StorageValue.decode(stored, what)
    created = try object.integer("created", what)
    guard case .array(let names)? = object["mutators"],
      case .bool(let disabled)? = object["disabled"]
    else { throw StorageValue.corrupt(what) }
    mutators = names.compactMap { if case .string(let name) = $0 { name } else { nil } }
    isDisabled = disabled
    switch object["cookie"] {
    case .string(let cookie)?: self.cookie = cookie
    case .null?: cookie = nil
    default: throw StorageValue.corrupt(what)
    }
  }
}

extension PendingMutation {
  var stored: [UInt8] {
    StorageValue.encode([
      "clientID": .string(clientID), "id": .number(Double(id)), "name": .string(name), "args": args,
      "timestamp": .number(timestamp),
    ])
  }

  init(stored: RawSpan, sequence: UInt64) throws {
    let what = "a pending mutation"
    let object = try StorageValue.decode(stored, what)
    self.sequence = sequence
    clientID = try object.string("clientID", what)
    id = try object.integer("id", what)
    name = try object.string("name", what)
    args = object["args"] ?? .null
    timestamp = try object.number("timestamp", what)
    monotonicTime = nil
  }
}

extension RefusedRecord {
  var stored: [UInt8] {
    var members: JSONObject = [
      "clientID": .string(clientID), "id": .number(Double(id)), "name": .string(name), "args": args,
      "timestamp": .number(timestamp), "kind": .string(kind), "message": .string(message),
    ]
    if let details { members["details"] = details }
    return StorageValue.encode(members)
  }

  init(stored: RawSpan, sequence: UInt64) throws {
    let what = "a refused mutation"
    let object = try StorageValue.decode(stored, what)
    self.sequence = sequence
    clientID = try object.string("clientID", what)
    id = try object.integer("id", what)
    name = try object.string("name", what)
    args = object["args"] ?? .null
    timestamp = try object.number("timestamp", what)
    kind = try object.string("kind", what)
    message = try object.string("message", what)
    details = object["details"]
  }
}

extension JSONObject {
  fileprivate func string(_ key: String, _ what: String) throws -> String {
    guard case .string(let value)? = self[key] else { throw StorageValue.corrupt(what) }
    return value
  }

  fileprivate func number(_ key: String, _ what: String) throws -> Double {
    guard case .number(let value)? = self[key] else { throw StorageValue.corrupt(what) }
    return value
  }

  fileprivate func integer(_ key: String, _ what: String) throws -> Int {
    guard let value = Int(exactly: try number(key, what)) else { throw StorageValue.corrupt(what) }
    return value
  }
}
