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
  private var order = Order.asEncoded

  private enum Order {
    case asEncoded
    /// That of a dictionary: by keys, also where keys and values alternate in an array.
    case byKey
    /// That of a set.
    case byElement
  }

  /// What was encoded; nil if nothing was.
  var value: JSONValue? {
    switch content {
    case .nothing: return nil
    case .leaf(let value): return value
    case .array(let nodes):
      let elements = nodes.map { $0.value ?? .object(JSONObject()) }
      switch order {
      case .asEncoded: return .array(elements)
      case .byKey: return .array(Self.sorted(elements, by: 2))
      case .byElement: return .array(Self.sorted(elements, by: 1))
      }
    case .object(var members):
      if order == .byKey { members.sort { TextOrder.utf8($0.key, $1.key) < 0 } }
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
    order =
      value is any UnorderedMembers
      ? .byKey : value is any UnorderedElements ? .byElement : .asEncoded
    try value.encode(to: JSONValueEncoding(node: self, codingPath: path))
  }

  // MARK: -

  /// Sorts groups of `size` elements by the JSON text of their first.
  private static func sorted(_ elements: [JSONValue], by size: Int) -> [JSONValue] {
    guard elements.count % size == 0 else { return elements }
    let groups = stride(from: 0, to: elements.count, by: size).map { start in
      (text: elements[start].jsonText, elements: elements[start..<(start + size)])
    }
    return groups.sorted { $0.text.lexicographicallyPrecedes($1.text) }.flatMap(\.elements)
  }
}

/// A dictionary: its members come in no order of their own.
private protocol UnorderedMembers {}
extension Dictionary: UnorderedMembers {}

/// A set: its elements come in no order of their own.
private protocol UnorderedElements {}
extension Set: UnorderedElements {}
