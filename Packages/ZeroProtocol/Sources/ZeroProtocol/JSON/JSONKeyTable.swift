/// Finds the members of a large object by key: a hash table with open addressing that holds places
/// in the object's list, four bytes each.
///
/// Keys are entered in the order of their places, without gaps. At most half of the slots are used, so
/// that every search ends. A slot is 0 or one more than a place.
struct JSONKeyTable: Sendable {
  typealias Members = [(key: String, value: JSONValue)]

  private var slots: [UInt32]

  /// An empty table with room for `capacity` keys.
  init(capacity: Int) {
    var size = 32
    while size < capacity * 2 { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
  }

  /// The table of `members`, whose keys are different.
  init(_ members: Members) {
    self.init(capacity: members.count)
    for place in members.indices { _ = insert(place, of: members) }
  }

  /// - Complexity: O(1) on average.
  func place(of key: String, in members: Members) -> Int? {
    var slot = firstSlot(key)
    while slots[slot] != 0 {
      let place = Int(slots[slot] - 1)
      if isSameText(members[place].key, key) { return place }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Enters the key at `place` of `members`, unless it is there already: then returns its place.
  /// - Complexity: O(1) on average, amortized.
  mutating func insert(_ place: Int, of members: Members) -> Int? {
    if (place + 1) * 2 > slots.count { grow(members[..<place]) }
    let key = members[place].key
    var slot = firstSlot(key)
    while slots[slot] != 0 {
      let other = Int(slots[slot] - 1)
      if isSameText(members[other].key, key) { return other }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = UInt32(place + 1)
    return nil
  }

  // MARK: -

  private func firstSlot(_ key: String) -> Int {
    var hasher = Hasher()
    UTF8Key(key).hash(into: &hasher)
    return hasher.finalize() & (slots.count - 1)
  }

  private mutating func grow(_ members: Members.SubSequence) {
    self = JSONKeyTable(capacity: slots.count)
    for place in members.indices {
      var slot = firstSlot(members[place].key)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(place + 1)
    }
  }
}

/// Whether two texts are the same UTF-8 bytes.
@inline(__always)
func isSameText(_ a: String, _ b: String) -> Bool {
  // Most names differ in length, and equality of strings, which is quick for ASCII, is implied.
  a.utf8.count == b.utf8.count && a == b && a.utf8.elementsEqual(b.utf8)
}
