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
    var keyed: [(key: String, place: Int)] = []
    keyed.reserveCapacity(operations.count)
    for (place, operation) in operations.enumerated() {
      keyed.append((try operation.keyRow.keyText(), place))
    }
    keyed.sort { a, b in
      let order = TextOrder.utf8(a.key, b.key)
      return order == 0 ? a.place < b.place : order < 0
    }
    entries.reserveCapacity(keyed.count)
    var next = 0
    while next < keyed.count {
      let key = keyed[next].key
      var end = next + 1
      while end < keyed.count, TextOrder.utf8(keyed[end].key, key) == 0 { end += 1 }
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
}
