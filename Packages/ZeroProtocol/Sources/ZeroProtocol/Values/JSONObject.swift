/// The members of a JSON object in order of insertion, with unique keys compared by UTF-8 bytes.
public struct JSONObject: Sendable {
  /// Keys and values in order of insertion.
  public private(set) var members: [(key: String, value: JSONValue)]

  /// Places of the keys; kept only for objects with many members.
  private var index: [UTF8Key: Int]?

  private static let indexedCount = 12

  public init() { members = [] }

  /// Sets the members one after the other; a repeated key keeps its first place and its last value.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    self.init()
    for (key, value) in members { self[key] = value }
  }

  public var count: Int { members.count }
  public var isEmpty: Bool { members.isEmpty }

  /// The value of `key`. Setting an existing key keeps its place; setting nil removes the member.
  /// - Complexity: O(1) on average to read and to set, O(n) to remove.
  public subscript(key: String) -> JSONValue? {
    get { position(of: key).map { members[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil):
        members.remove(at: place)
        index = nil
        indexIfLarge()
      case (nil, let value?):
        members.append((key, value))
        if index != nil { index?[UTF8Key(key)] = members.count - 1 } else { indexIfLarge() }
      case (nil, nil): break
      }
    }
  }

  // MARK: -

  private func position(of key: String) -> Int? {
    if let index { return index[UTF8Key(key)] }
    return members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
  }

  private mutating func indexIfLarge() {
    guard members.count >= Self.indexedCount else { return }
    var places: [UTF8Key: Int] = [:]
    for (place, member) in members.enumerated() { places[UTF8Key(member.key)] = place }
    index = places
  }
}

extension JSONObject: Equatable {
  /// The same keys with equal values, in any order.
  public static func == (a: JSONObject, b: JSONObject) -> Bool {
    a.count == b.count && a.members.allSatisfy { b[$0.key] == $0.value }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
