import ZeroProtocol

/// The rows that mutators wrote and that are not in the sources of the views: a layer over a state of
/// the client's rows.
///
/// A layer is cheap: rows are looked up in the state below until they are written. Only when a mutator
/// runs a query is a fork of the sources made, which from then on gets every write.
final class WriteSet {
  /// A row of the state below, found by a row with its key.
  typealias Lookup = (_ table: Int, _ key: String, _ keyRow: Row) -> Row?

  /// One written row.
  struct Written {
    /// A row with at least the key columns.
    let keyRow: Row
    /// The row of the state below.
    let before: Row?
    var row: Row?
  }

  /// By table, the written rows.
  private(set) var tables: [[UTF8Key: Written]]

  private let lookup: Lookup
  private let makeFork: () throws -> RowFork
  private var fork: RowFork?
  private var undo: [(key: RowKey, previous: Written?)] = []

  /// - Parameter makeFork: a fork of the sources that shows the state below.
  init(tableCount: Int, lookup: @escaping Lookup, makeFork: @escaping () throws -> RowFork) {
    tables = Array(repeating: [:], count: tableCount)
    self.lookup = lookup
    self.makeFork = makeFork
  }

  /// The row as mutators see it now.
  func row(_ table: Int, key: String, keyRow: Row) -> Row? {
    if let written = tables[table][UTF8Key(key)] { return written.row }
    return lookup(table, key, keyRow)
  }

  /// Writes a row, or nil to delete it.
  func write(_ table: Int, key: String, keyRow: Row, _ row: Row?) throws {
    let place = UTF8Key(key)
    let previous = tables[table][place]
    let current = previous.map(\.row) ?? lookup(table, key, keyRow)
    try fork?.push(from: current, to: row)
    undo.append((RowKey(table: table, text: key), previous))
    tables[table][place] = Written(
      keyRow: keyRow, before: previous.map(\.before) ?? current, row: row)
  }

  /// The sources as they are with everything written so far.
  func forkWithWrites() throws -> RowFork {
    if let fork { return fork }
    let fork = try makeFork()
    for rows in tables {
      for written in rows.values { try fork.push(from: written.before, to: written.row) }
    }
    self.fork = fork
    return fork
  }

  /// From here on ``rollBack()`` takes writes back.
  func mark() { undo.removeAll(keepingCapacity: true) }

  /// Takes back everything written since the last mark.
  func rollBack() throws {
    while let (key, previous) = undo.popLast() {
      let now = tables[key.table][key.text]
      let target = previous.map(\.row) ?? now?.before ?? nil
      try fork?.push(from: now?.row, to: target)
      tables[key.table][key.text] = previous
    }
  }
}
