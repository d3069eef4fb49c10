/// A node of a ``ByteTree``: a leaf with records, or an inner node with children.
///
/// Methods that change a node require that its caller owns it alone.
final class Node {
  /// Records of a leaf in key order.
  private(set) var records: [Record]
  /// Children of an inner node in key order; empty in a leaf.
  private(set) var children: [Node]
  /// For each child a key that is at or below all of the child's and above all of the one before it.
  private var lows: [[UInt8]]

  private static let capacity = 64

  var isLeaf: Bool { children.isEmpty }

  init(records: [Record]) {
    self.records = records
    children = []
    lows = []
  }

  /// - Parameter children: not empty, none of them empty.
  init(children: [Node]) {
    records = []
    self.children = children
    lows = children.map { $0.lowestKey }
  }

  private init(children: [Node], lows: [[UInt8]]) {
    records = []
    self.children = children
    self.lows = lows
  }

  /// A node with the same content; children are shared.
  func copy() -> Node {
    isLeaf ? Node(records: records) : Node(children: children, lows: lows)
  }

  /// The child in which `key` is, if it is anywhere.
  func childIndex(of key: UnsafeRawBufferPointer) -> Int {
    // Rows arrive in order more often than not.
    if let last = lows.last, last.withUnsafeBytes({ compareBytes($0, key) }) <= 0 {
      return lows.count - 1
    }
    var low = 0
    var high = lows.count
    while low < high {
      let middle = (low + high) / 2
      if lows[middle].withUnsafeBytes({ compareBytes($0, key) }) <= 0 {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return max(0, low - 1)
  }

  /// The place of `key` in a leaf, and whether it is there.
  func recordIndex(of key: UnsafeRawBufferPointer) -> (index: Int, isThere: Bool) {
    if let last = records.last, last.compareKey(to: key) < 0 { return (records.count, false) }
    var low = 0
    var high = records.count
    while low < high {
      let middle = (low + high) / 2
      let order = records[middle].compareKey(to: key)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  /// Visits the records from `lower` up to `upper`; returns false once `body` has.
  func scan(
    from lower: [UInt8], to upper: [UInt8]?, _ body: (Record) throws -> Bool
  ) rethrows -> Bool {
    if isLeaf {
      var index = lower.withUnsafeBytes { recordIndex(of: $0).index }
      let end = upper.map { $0.withUnsafeBytes { recordIndex(of: $0).index } } ?? records.count
      while index < end {
        guard try body(records[index]) else { return false }
        index += 1
      }
      return true
    }
    let first = lower.withUnsafeBytes { childIndex(of: $0) }
    for index in first..<children.count {
      if index > first, let upper, !lows[index].lexicographicallyPrecedes(upper) { return true }
      guard try children[index].scan(from: lower, to: upper, body) else { return false }
    }
    return true
  }

  /// Sets the record with that key; returns the node's new right sibling if it had to be split.
  func put(_ record: Record, key: UnsafeRawBufferPointer) -> Node? {
    if isLeaf {
      let (index, isThere) = recordIndex(of: key)
      if isThere {
        records[index] = record
        return nil
      }
      records.insert(record, at: index)
      if records.count <= Self.capacity { return nil }
      // Rows arrive in order more often than not: then a split at the end leaves full leaves.
      let split = index == records.count - 1 ? index : records.count / 2
      let sibling = Node(records: Array(records[split...]))
      // Grown step by step it would end up with twice the room that it can use.
      sibling.records.reserveCapacity(Self.capacity + 1)
      records.removeSubrange(split...)
      return sibling
    }
    let index = childIndex(of: key)
    makeChildUnique(index)
    let sibling = children[index].put(record, key: key)
    if index == 0, lows[0].withUnsafeBytes({ compareBytes(key, $0) < 0 }) {
      lows[0] = Array(key)
    }
    guard let sibling else { return nil }
    children.insert(sibling, at: index + 1)
    lows.insert(sibling.lowestKey, at: index + 1)
    if children.count <= Self.capacity { return nil }
    let split = index + 1 == children.count - 1 ? children.count - 1 : children.count / 2
    let right = Node(children: Array(children[split...]), lows: Array(lows[split...]))
    children.removeSubrange(split...)
    lows.removeSubrange(split...)
    return right
  }

  /// Removes `key`.
  func delete(_ key: UnsafeRawBufferPointer) {
    if isLeaf {
      let (index, isThere) = recordIndex(of: key)
      if isThere { records.remove(at: index) }
      return
    }
    let index = childIndex(of: key)
    makeChildUnique(index)
    children[index].delete(key)
    mend(index)
  }

  /// Removes the keys from `lower` up to `upper`.
  func delete(from lower: [UInt8], to upper: [UInt8]?) {
    if isLeaf {
      let start = lower.withUnsafeBytes { recordIndex(of: $0).index }
      let end = upper.map { $0.withUnsafeBytes { recordIndex(of: $0).index } } ?? records.count
      if start < end { records.removeSubrange(start..<end) }
      return
    }
    let first = lower.withUnsafeBytes { childIndex(of: $0) }
    let last = upper.map { $0.withUnsafeBytes { childIndex(of: $0) } } ?? children.count - 1
    // Children strictly between the two ends lie in the range as a whole.
    if first + 1 < last {
      children.removeSubrange(first + 1..<last)
      lows.removeSubrange(first + 1..<last)
    }
    for index in (first...min(first + 1, children.count - 1)).reversed() {
      makeChildUnique(index)
      children[index].delete(from: lower, to: upper)
      mend(index)
    }
  }

  /// The depth below this node if all leaves have the same and only a root is empty, else nil.
  func uniformDepth(isRoot: Bool) -> Int? {
    if isLeaf { return isRoot || !records.isEmpty ? 0 : nil }
    let depths = children.map { $0.uniformDepth(isRoot: false) }
    guard let first = depths[0], depths.allSatisfy({ $0 == first }) else { return nil }
    return first + 1
  }

  // MARK: -

  private var lowestKey: [UInt8] { isLeaf ? records.first?.keyBytes ?? [] : lows[0] }

  private var count: Int { isLeaf ? records.count : children.count }

  private func makeChildUnique(_ index: Int) {
    if !isKnownUniquelyReferenced(&children[index]) { children[index] = children[index].copy() }
  }

  /// Removes a child that became empty, or merges a small one with the one before it.
  private func mend(_ index: Int) {
    let child = children[index]
    if child.count == 0 {
      children.remove(at: index)
      lows.remove(at: index)
      return
    }
    guard index > 0, child.count + children[index - 1].count <= Self.capacity / 2 else { return }
    makeChildUnique(index - 1)
    let left = children[index - 1]
    left.records += child.records
    left.children += child.children
    left.lows += child.lows
    children.remove(at: index)
    lows.remove(at: index)
  }
}
