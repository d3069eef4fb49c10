import ZeroProtocol

/// An ordered map of byte strings whose copies share what they have in common.
///
/// A B+ tree. Copying is O(1); a change copies the nodes on its path that another copy still uses and
/// changes the others in place. Order is that of unsigned bytes.
///
/// Safe to share: a node that two trees can reach is never changed, because each change first makes
/// sure that its tree is the node's only owner. A tree itself is a value.
struct ByteTree: @unchecked Sendable {
  private var root = Node(records: [])

  /// Calls `body` with the value of `key`, or nil.
  /// - Complexity: O(log n).
  func get<Result>(_ key: RawSpan, _ body: (RawSpan?) throws -> Result) rethrows -> Result {
    let record = key.withUnsafeBytes { find($0) }
    guard let record else { return try body(nil) }
    var scratch: [UInt8] = []
    return try record.withPair(&scratch) { _, value in try body(value) }
  }

  /// Calls `body` for the pairs from `lower` up to `upper` until it returns false.
  /// - Complexity: O(log n + visited).
  func scan(
    from lower: [UInt8], to upper: [UInt8]?, _ body: (RawSpan, RawSpan) throws -> Bool
  ) rethrows {
    var scratch: [UInt8] = []
    _ = try root.scan(from: lower, to: upper) { try $0.withPair(&scratch, body) }
  }

  /// The rows that are the values from `lower` up to `upper`; nil if one of them is no row.
  /// - Complexity: O(log n + visited).
  func rows(from lower: [UInt8], to upper: [UInt8]?) -> ContiguousArray<Row>? {
    var rows: ContiguousArray<Row> = []
    let areRows = root.scan(from: lower, to: upper) { record in
      guard let row = record.row else { return false }
      rows.append(row)
      return true
    }
    return areRows ? rows : nil
  }

  /// Sets the value of `key`.
  /// - Complexity: O(log n).
  mutating func put(_ key: RawSpan, _ value: RawSpan) {
    put(Record(key: key, value: value))
  }

  /// Sets a record.
  /// - Complexity: O(log n).
  mutating func put(_ record: Record) {
    makeRootUnique()
    guard let sibling = record.withKey({ root.put(record, key: $0) }) else { return }
    root = Node(children: [root, sibling])
  }

  /// Removes `key`, if it is there.
  /// - Complexity: O(log n).
  mutating func delete(_ key: RawSpan) {
    key.withUnsafeBytes { key in
      // A key that is not there must not cost the copy of a path.
      guard find(key) != nil else { return }
      makeRootUnique()
      root.delete(key)
    }
    collapseRoot()
  }

  /// Removes the keys from `lower` up to `upper`.
  /// - Complexity: O(log n + nodes removed).
  mutating func delete(from lower: [UInt8], to upper: [UInt8]?) {
    if lower.isEmpty, upper == nil {
      root = Node(records: [])
      return
    }
    makeRootUnique()
    root.delete(from: lower, to: upper)
    collapseRoot()
  }

  // MARK: -

  private func find(_ key: UnsafeRawBufferPointer) -> Record? {
    var node = root
    while !node.isLeaf {
      node = node.children[node.childIndex(of: key)]
    }
    let (index, isThere) = node.recordIndex(of: key)
    return isThere ? node.records[index] : nil
  }

  private mutating func makeRootUnique() {
    if !isKnownUniquelyReferenced(&root) { root = root.copy() }
  }

  private mutating func collapseRoot() {
    while !root.isLeaf, root.children.count <= 1 {
      root = root.children.first ?? Node(records: [])
    }
  }

  /// Checks the order of keys, equal depth of leaves, and that no node but the root is empty.
  func checkInvariants() -> Bool {
    var last: [UInt8]?
    var isOrdered = true
    scan(from: [], to: nil) { key, _ in
      let key = key.withUnsafeBytes { Array($0) }
      if let last, !last.lexicographicallyPrecedes(key) { isOrdered = false }
      last = key
      return true
    }
    return isOrdered && root.uniformDepth(isRoot: true) != nil
  }
}
