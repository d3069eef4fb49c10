/// A place in the JSON that an encoder fills.
///
/// Containers are references because an `Encodable` may go on with one after it has opened another.
final class JSONEncodingNode {
  private enum Content {
    case nothing
    case leaf(JSONValue)
    case array([JSONEncodingNode])
    case object([(key: String, node: JSONEncodingNode)])
  }
  private var content = Content.nothing
  private var sortsKeys = false

  /// What was encoded; nil if nothing was.
  var value: JSONValue? {
    switch content {
    case .nothing: return nil
    case .leaf(let value): return value
    case .array(let nodes): return .array(nodes.map { $0.value ?? .object(JSONObject()) })
    case .object(var members):
      if sortsKeys { members.sort { TextOrder.utf8($0.key, $1.key) < 0 } }
      return .object(
        JSONObject(members.map { ($0.key, $0.node.value ?? .object(JSONObject())) }))
    }
  }

  var count: Int { if case .array(let nodes) = content { nodes.count } else { 0 } }

  func becomeObject() { if case .object = content {} else { content = .object([]) } }
  func becomeArray() { if case .array = content {} else { content = .array([]) } }

  func appended() -> JSONEncodingNode {
    let node = JSONEncodingNode()
    if case .array(var nodes) = content {
      content = .nothing
      nodes.append(node)
      content = .array(nodes)
    } else {
      content = .array([node])
    }
    return node
  }

  func member(_ key: String) -> JSONEncodingNode {
    let node = JSONEncodingNode()
    if case .object(var members) = content {
      content = .nothing
      members.append((key, node))
      content = .object(members)
    } else {
      content = .object([(key, node)])
    }
    return node
  }

  func set(_ value: JSONValue) { content = .leaf(value) }

  func set(_ number: Double, path: [any CodingKey]) throws {
    guard number.isFinite else {
      throw JSONEncodingError(path: path, reason: "\(number) is no JSON number")
    }
    content = .leaf(.number(number))
  }

  func set(_ integer: some BinaryInteger, path: [any CodingKey]) throws {
    guard let number = Double(exactly: integer), number.magnitude <= 9_007_199_254_740_991 else {
      throw JSONEncodingError(
        path: path, reason: "\(integer) is beyond the integers that a double holds exactly")
    }
    content = .leaf(.number(number))
  }

  func encode(_ value: some Encodable, path: [any CodingKey]) throws {
    if let json = value as? JSONValue {
      content = .leaf(json)
      return
    }
    sortsKeys = value is any UnorderedMembers
    try value.encode(to: JSONValueEncoding(node: self, codingPath: path))
  }
}

/// A dictionary: its members come in no order of their own.
private protocol UnorderedMembers {}
extension Dictionary: UnorderedMembers {}
