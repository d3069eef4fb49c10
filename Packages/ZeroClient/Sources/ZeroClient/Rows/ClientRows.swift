import ZeroIVM
import ZeroProtocol

/// The client's rows as views show them: those of the server with what pending mutations predict.
///
/// The sources hold the shown rows. Only where a pending mutation wrote, the server's row is kept
/// beside them, so that memory and time go with what is pending and not with what is held.
@MainActor final class ClientRows {
  let schema: ZeroSchema
  private(set) var branch: Branch
  /// By table, the rows that pending mutations wrote, with the server's row.
  private var overlay: Overlay
  /// The change that is under way, or that broke the sources.
  private var unfinished: Change?

  private struct Overlaid {
    let keyRow: Row
    let server: Row?
  }
  private typealias Overlay = [[UTF8Key: Overlaid]]

  private enum Change {
    case writes(WriteSet)
    case patch(Patch, WriteSet?, over: Overlay)
  }

  /// A change of the server's rows: by table, one new state per row.
  typealias Patch = [TablePatch]

  init(_ schema: ZeroSchema) {
    self.schema = schema
    branch = Branch(schema: schema)
    overlay = Array(repeating: [:], count: schema.tables.count)
  }

  /// The shown row with the key of `keyRow`.
  func shown(_ keyRow: Row) -> Row? { (try? branch.row(withKeyOf: keyRow)) ?? nil }

  /// The server's row.
  func serverRow(_ table: Int, _ key: String, _ keyRow: Row) -> Row? {
    if let overlaid = overlay[table][UTF8Key(key)] { return overlaid.server }
    return shown(keyRow)
  }

  /// All of the server's rows of a table, with their keys.
  func serverRows(of table: Int) throws -> [(key: String, row: Row)] {
    var rows: [(key: String, row: Row)] = []
    for row in try branch.rows(of: schema.tables[table].name) {
      let key = try row.keyText()
      if overlay[table][UTF8Key(key)] == nil { rows.append((key, row)) }
    }
    for (key, overlaid) in overlay[table] {
      if let row = overlaid.server { rows.append((key.string, row)) }
    }
    return rows
  }

  /// Number of rows shown of a table.
  func count(of table: Int) -> Int { (try? branch.rows(of: schema.tables[table].name).count) ?? 0 }

  /// Takes rows found in storage, before anything was shown.
  /// - Parameter rows: batches by place of the table in the schema.
  func load(_ rows: [[ContiguousArray<Row>]]) throws {
    for (table, batches) in zip(schema.tables, rows) where !batches.isEmpty {
      try branch.load(table.name, batches: batches)
    }
  }

  /// Forgets rows that could not all be loaded. The sources have no views.
  func reset() { branch = Branch(schema: schema) }

  /// A layer for a mutation that runs on what is shown.
  func writesOnShown() -> WriteSet {
    WriteSet(
      tableCount: schema.tables.count,
      lookup: { [branch] _, _, keyRow in (try? branch.row(withKeyOf: keyRow)) ?? nil },
      makeFork: { [branch] in try RowFork(branch) })
  }

  /// A layer for mutations that are replayed on the server's rows as a patch leaves them.
  func writesOnServer(after patch: Patch) -> WriteSet {
    var patched: [[UTF8Key: Row?]] = Array(repeating: [:], count: patch.count)
    for (table, entries) in patch.enumerated() {
      patched[table].reserveCapacity(entries.entries.count)
      for entry in entries.entries {
        patched[table].updateValue(entry.row, forKey: UTF8Key(entry.key))
      }
    }
    let (branch, overlay) = (branch, overlay)
    return WriteSet(
      tableCount: schema.tables.count,
      lookup: { table, key, keyRow in
        let key = UTF8Key(key)
        if let row = patched[table][key] { return row }
        if let overlaid = overlay[table][key] { return overlaid.server }
        return (try? branch.row(withKeyOf: keyRow)) ?? nil
      },
      makeFork: {
        let fork = try RowFork(branch)
        for table in overlay.indices {
          for (key, overlaid) in overlay[table] where patched[table][key] == nil {
            try fork.push(from: branch.row(withKeyOf: overlaid.keyRow), to: overlaid.server)
          }
          for entry in patch[table].entries {
            try fork.push(from: branch.row(withKeyOf: entry.keyRow), to: entry.row)
          }
        }
        return fork
      })
  }

  /// Shows what a mutation wrote.
  func show(_ writes: WriteSet) throws(EngineError) {
    for table in writes.tables.indices {
      for (key, written) in writes.tables[table] {
        let overlaid = overlay[table][key]
        overlay[table][key] = overlaid ?? Overlaid(keyRow: written.keyRow, server: written.before)
      }
    }
    try finish(.writes(writes))
  }

  /// Shows the server's rows as a patch leaves them, with what replayed mutations wrote over them.
  ///
  /// Everything is one change: a row that looks as before, predicted or not, is none.
  func show(_ patch: Patch, _ writes: WriteSet?) throws(EngineError) {
    let before = overlay
    for table in schema.tables.indices {
      overlay[table] = (writes?.tables[table] ?? [:]).mapValues {
        Overlaid(keyRow: $0.keyRow, server: $0.before)
      }
    }
    try finish(.patch(patch, writes, over: before))
  }

  /// Makes the sources anew with the change that broke them. They have no views.
  func rebuild() throws(EngineError) {
    let broken = branch
    branch = Branch(schema: schema)
    for table in schema.tables {
      let rows = try broken.rows(of: table.name)
      if !rows.isEmpty { try branch.load(table.name, rows) }
    }
    if let unfinished { try finish(unfinished) }
  }

  /// Brings the sources to where a change leads, from wherever on the way they are.
  private func finish(_ change: Change) throws(EngineError) {
    unfinished = change
    switch change {
    case .writes(let writes):
      for table in writes.tables {
        for (_, written) in table.sorted(by: Self.inKeyOrder) {
          try push(from: branch.row(withKeyOf: written.keyRow), to: written.row)
        }
      }
    case .patch(let patch, let writes, let before): try push(patch, writes, before)
    }
    unfinished = nil
  }

  private func push(
    _ patch: Patch, _ writes: WriteSet?, _ before: Overlay
  ) throws(EngineError) {
    for table in schema.tables.indices {
      let old = before[table]
      let written = writes?.tables[table] ?? [:]
      if old.isEmpty && written.isEmpty {
        for entry in patch[table].entries {
          try push(from: branch.row(withKeyOf: entry.keyRow), to: entry.row)
        }
        continue
      }
      var targets: [UTF8Key: (keyRow: Row, row: Row?)] = [:]
      for (key, overlaid) in old { targets[key] = (overlaid.keyRow, overlaid.server) }
      for entry in patch[table].entries { targets[UTF8Key(entry.key)] = (entry.keyRow, entry.row) }
      for (key, write) in written { targets[key] = (write.keyRow, write.row) }
      for (_, target) in targets.sorted(by: Self.inKeyOrder) {
        try push(from: branch.row(withKeyOf: target.keyRow), to: target.row)
      }
    }
  }

  /// The tables that a patch fills for the first time, with so much that it is quicker to load them and
  /// build the views anew than to lead each row through all views.
  func tablesToLoad(_ patch: Patch, _ writes: WriteSet?) -> Set<Int> {
    var tables: Set<Int> = []
    for table in schema.tables.indices
    where patch[table].entries.count >= Self.bulkCount && overlay[table].isEmpty
      && writes?.tables[table].isEmpty ?? true
    {
      let isEmpty = (try? branch.isEmpty(schema.tables[table].name)) ?? false
      if isEmpty { tables.insert(table) }
    }
    return tables
  }

  /// ``show(_:_:)`` for a patch that fills `tables`, while no view is open.
  func load(_ tables: Set<Int>, _ patch: Patch, _ writes: WriteSet?) throws(EngineError) {
    var rest = patch
    for table in tables {
      let rows = ContiguousArray(patch[table].entries.compactMap(\.row))
      try branch.load(schema.tables[table].name, rows)
      rest[table] = TablePatch()
    }
    try show(rest, writes)
  }

  /// Tells the views' listeners. After a change that broke the sources, views keep what they showed.
  func commit() {
    if branch.failure == nil { branch.commit() }
  }

  // MARK: -

  private static let bulkCount = 1000

  private static func inKeyOrder<T>(_ a: (key: UTF8Key, value: T), _ b: (key: UTF8Key, value: T))
    -> Bool
  {
    TextOrder.utf8(a.key.string, b.key.string) < 0
  }

  private func push(from old: Row?, to new: Row?) throws(EngineError) {
    if let change = SourceChange(from: old, to: new) { try branch.push(change) }
  }
}
