/// The members of a JSON object, with unique keys compared by UTF-8 bytes.
///
/// The order is the one in which JavaScript enumerates an object: keys that are array indexes
/// (decimal integers from 0 to 4294967294, without superfluous zeros) ascending, then all others in
/// order of insertion. Setting an existing key keeps its place.
public struct JSONObject: Sendable {
  /// Keys and values in order.
  public private(set) var members: [(key: String, value: JSONValue)]

  /// Places of the keys; kept only for objects with many members.
  private var table: JSONKeyTable?

  private static let fewMembers = 12

  public init() { members = [] }

  /// Sets the members one after the other; a repeated key keeps its first place and its last value.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    self.init(members: members.map { (key: $0, value: $1) })
  }

  /// Takes over members in order of insertion, among which keys may be repeated.
  /// - Complexity: O(n log n), O(n) without array indexes among the keys.
  init(members: consuming [(key: String, value: JSONValue)]) {
    self.members = members
    removeRepeatedKeys()
    sortIndexKeys()
  }

  /// Number of members.
  public var count: Int { members.count }
  /// Whether there is no member.
  public var isEmpty: Bool { members.isEmpty }

  /// The value of `key`. Setting an existing key keeps its place; setting nil removes the member.
  /// - Complexity: O(1) on average to read, to set and to add at the end; O(n) to remove, and to add an
  ///   array index ahead of other members.
  public subscript(key: String) -> JSONValue? {
    get { place(of: key).map { members[$0].value } }
    set {
      switch (place(of: key), newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil):
        members.remove(at: place)
        notePlaces()
      case (nil, let value?): add(key, value)
      case (nil, nil): break
      }
    }
  }

  // MARK: -

  private func place(of key: String) -> Int? {
    if let table { return table.place(of: key, in: members) }
    return members.firstIndex { isSameText($0.key, key) }
  }

  private mutating func add(_ key: String, _ value: JSONValue) {
    let place = arrayIndex(key.utf8).map { firstPlace(behind: $0) } ?? members.count
    guard place == members.count else {
      members.insert((key, value), at: place)
      notePlaces()
      return
    }
    members.append((key, value))
    if table != nil {
      _ = table?.insert(place, of: members)
    } else {
      notePlaces()
    }
  }

  /// Where an array index that is not there yet belongs: indexes come first and ascend.
  private func firstPlace(behind number: UInt32) -> Int {
    var (low, high) = (0, members.count)
    while low < high {
      let middle = low + (high - low) / 2
      if let other = arrayIndex(members[middle].key.utf8), other < number {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private mutating func notePlaces() {
    table = members.count > Self.fewMembers ? JSONKeyTable(members) : nil
  }

  private mutating func removeRepeatedKeys() {
    if members.count <= Self.fewMembers {
      var i = 1
      while i < members.count {
        let key = members[i].key
        if let first = members[..<i].firstIndex(where: { isSameText($0.key, key) }) {
          members[first].value = members[i].value
          members.remove(at: i)
        } else {
          i += 1
        }
      }
      return
    }
    var table = JSONKeyTable(capacity: members.count)
    var count = 0
    for i in members.indices {
      if i != count { members[count] = members[i] }
      if let first = table.insert(count, of: members) {
        members[first].value = members[count].value
      } else {
        count += 1
      }
    }
    if count < members.count { members.removeLast(members.count - count) }
    self.table = count > Self.fewMembers ? table : nil
  }

  /// Moves the members whose keys are array indexes to the front and sorts them.
  private mutating func sortIndexKeys() {
    let count = members.reduce(0) { $0 + (arrayIndex($1.key.utf8) == nil ? 0 : 1) }
    guard count > 0 else { return }
    var numbered: [(number: UInt32, member: (key: String, value: JSONValue))] = []
    numbered.reserveCapacity(count)
    // From the end on, the others close up in place.
    var end = members.count
    for i in members.indices.reversed() {
      if let number = arrayIndex(members[i].key.utf8) {
        numbered.append((number, members[i]))
      } else {
        end -= 1
        if end != i { members[end] = members[i] }
      }
    }
    numbered.sort { $0.number < $1.number }
    for (i, entry) in numbered.enumerated() { members[i] = entry.member }
    notePlaces()
  }
}

/// The number that a property name denotes if JavaScript takes it for an array index.
func arrayIndex(_ key: some Collection<UInt8>) -> UInt32? {
  guard let first = key.first, first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9"),
    key.count <= 10, first != UInt8(ascii: "0") || key.count == 1
  else { return nil }
  var number: UInt64 = 0
  for byte in key {
    let digit = byte &- UInt8(ascii: "0")
    guard digit < 10 else { return nil }
    number = number * 10 + UInt64(digit)
  }
  return number < UInt64(UInt32.max) ? UInt32(number) : nil
}

extension JSONObject: Equatable {
  /// The same keys with equal values, in any order.
  public static func == (a: JSONObject, b: JSONObject) -> Bool {
    JSONValue.object(a) == .object(b)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
