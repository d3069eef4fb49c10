public import ZeroProtocol

/// One operation of a poke on a row, with client names and in the layout of its table.
@_spi(Engine) public enum RowOperation: Sendable {
  case put(Row)
  /// The row holds at least the key columns.
  case delete(Row)
  /// `merge` has the columns to set, the key among them; of both rows only the columns of `constrain`
  /// survive, if it is given.
  case update(merge: Row, constrain: Set<Int>?)

  /// A row with at least the key columns.
  var keyRow: Row {
    switch self {
    case .put(let row), .delete(let row), .update(let row, _): row
    }
  }

  /// The row after this operation on `row`.
  func applied(to row: Row?) -> Row? {
    switch self {
    case .put(let new): return new
    case .delete: return nil
    case .update(let merge, let constrain):
      let merged = row?.merging(merge) ?? merge
      return constrain.map { merged.keeping($0) } ?? merged
    }
  }
}

/// What a poke does to the rows of one table, brought down to one new state per row, in ascending order
/// of the keys' UTF-8 bytes.
@_spi(Engine) public struct TablePatch: Sendable {
  public struct Entry: Sendable {
    public let key: String
    /// A row with at least the key columns.
    public let keyRow: Row
    public let row: Row?
  }
  public private(set) var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// A patch that changes nothing.
  init() {}

  /// - Parameters:
  ///   - operations: in the order of the poke.
  ///   - base: the row that the server had sent before, asked only where an operation needs it.
  /// - Complexity: O(n log n)
  public init(_ operations: [RowOperation], base: (_ key: String, _ keyRow: Row) -> Row?)
    throws(PrimaryKeyError)
  {
    var keys: [String] = []
    keys.reserveCapacity(operations.count)
    for operation in operations { keys.append(try operation.keyRow.keyText()) }
    let keyed = Self.sorted(keys)
    entries.reserveCapacity(keyed.count)
    var next = 0
    while next < keyed.count {
      let (prefix, place) = keyed[next]
      let key = keys[place]
      var end = next + 1
      while end < keyed.count, keyed[end].prefix == prefix,
        TextOrder.utf8(keys[keyed[end].place], key) == 0
      {
        end += 1
      }
      let keyRow = operations[keyed[next].place].keyRow
      // Everything before the last operation that does not look at the row is dead.
      var first = end - 1
      while first > next, case .update = operations[keyed[first].place] { first -= 1 }
      var row: Row?
      if case .update = operations[keyed[first].place] { row = base(key, keyRow) }
      for place in first..<end { row = operations[keyed[place].place].applied(to: row) }
      entries.append(Entry(key: key, keyRow: keyRow, row: row))
      next = end
    }
  }

  // MARK: -

  /// The places of keys in their order, equal ones as they come. Most comparisons are of the first eight
  /// bytes, so that few look at the texts.
  private static func sorted(_ keys: [String]) -> [(prefix: UInt64, place: Int)] {
    var keyed = keys.enumerated().map { place, key in
      var bytes = key.utf8.makeIterator()
      var prefix: UInt64 = 0
      for _ in 0..<8 { prefix = prefix << 8 | UInt64(bytes.next() ?? 0) }
      return (prefix: prefix, place: place)
    }
    keyed.sort { a, b in
      if a.prefix != b.prefix { return a.prefix < b.prefix }
      let order = TextOrder.utf8(keys[a.place], keys[b.place])
      return order == 0 ? a.place < b.place : order < 0
    }
    return keyed
  }
}
