@_spi(Engine) import ZeroProtocol

/// The rows of one table of one branch, in as many orders as its connections read in.
final class MemorySource {
  let table: TableDescriptor
  let layout: RowLayout
  let faults: Faults
  let primaryKey: KeyColumns
  /// The first is that of the primary key; the others are made when they are first needed and kept.
  private(set) var indexes: [SourceIndex]
  /// Connections by number, that is in order of connecting: those that any row may concern, and by
  /// primary key those that read one row only, so that changes of others need not be offered to them.
  private var connections: [Connection] = []
  private var pinnedConnections: [PartitionKey: [Connection]] = [:]
  private var nextNumber = 0
  /// The columns whose change splits an edit, each with the number of connections that ask for it.
  private var splitColumns: [Int: Int] = [:]
  private var connectionCount = 0
  /// The change being delivered.
  private(set) var overlay: Change?
  private(set) var epoch = 0

  init(_ table: TableDescriptor, _ faults: Faults) {
    self.table = table
    layout = table.layout
    self.faults = faults
    primaryKey = KeyColumns(layout.primaryKey, layout)
    indexes = [SourceIndex(.primary(layout, faults))]
  }

  /// A source with the same rows; later changes of either do not reach the other.
  /// - Complexity: O(number of orders)
  init(forking other: MemorySource, _ faults: Faults) {
    table = other.table
    layout = other.layout
    self.faults = faults
    primaryKey = other.primaryKey
    indexes = other.indexes.map {
      SourceIndex(RowOrder($0.order.parts, other.layout, faults), $0.rows)
    }
  }

  var primary: SourceIndex { indexes[0] }

  func connect(_ connection: Connection) {
    connection.number = nextNumber
    nextNumber += 1
    connectionCount += 1
    if let pinned = connection.pinned {
      pinnedConnections[pinnedKey(pinned.values), default: []].append(connection)
    } else {
      connections.append(connection)
    }
    for column in connection.splitColumns { splitColumns[column, default: 0] += 1 }
  }

  func disconnect(_ connection: Connection) {
    if let pinned = connection.pinned {
      let key = pinnedKey(pinned.values)
      guard let place = pinnedConnections[key]?.firstIndex(where: { $0 === connection }) else {
        return
      }
      pinnedConnections[key]?.remove(at: place)
      if pinnedConnections[key]?.isEmpty ?? true { pinnedConnections[key] = nil }
    } else {
      guard let place = connections.firstIndex(where: { $0 === connection }) else { return }
      connections.remove(at: place)
    }
    connectionCount -= 1
    for column in connection.splitColumns {
      splitColumns[column] = splitColumns[column].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }

  private func pinnedKey(_ row: Row) -> PartitionKey { PartitionKey(row: row, key: primaryKey) }

  /// The connections that a change may concern, in order of connecting.
  private func receivers(_ change: Change) -> [Connection] {
    if pinnedConnections.isEmpty { return connections }
    let added = change.added
    var pinned = added.flatMap { pinnedConnections[pinnedKey($0)] } ?? []
    if let removed = change.removed, added.map({ !primary.order.isSame($0, removed) }) ?? true {
      pinned += pinnedConnections[pinnedKey(removed)] ?? []
    }
    if pinned.isEmpty { return connections }
    return (connections + pinned).sorted { $0.number < $1.number }
  }

  /// The index for reading rows with `key` fixed in the order of `order`.
  ///
  /// Columns that are fixed come first, in the table's order; the rest of the order follows, turned
  /// round if it begins descending. So one index serves an order and its reverse, and constraints
  /// that name the same columns in another sequence.
  func choose(_ key: KeyColumns?, _ order: RowOrder) -> IndexChoice {
    let fixed = key.map { Set($0.columns).sorted() } ?? []
    let rest = order.parts.filter { !fixed.contains($0.column) }
    let isReversed = rest.first?.isDescending ?? false
    let wanted = RowOrder(
      fixed.map { RowOrder.Part(column: $0, isDescending: false) }
        + rest.map { RowOrder.Part(column: $0.column, isDescending: $0.isDescending != isReversed) },
      layout, faults)
    let index: SourceIndex
    if let found = indexes.first(where: { $0.order.parts == wanted.parts }) {
      index = found
    } else {
      index = SourceIndex(wanted, sorting: primary)
      // Rows without this order fail whoever asked for it; kept, it would fail every later change too.
      if !faults.isRaised { indexes.append(index) }
    }
    let places = fixed.prefix(wanted.parts.count).compactMap { key?.columns.firstIndex(of: $0) }
    return IndexChoice(index: index, fixed: ContiguousArray(places), isReversed: isReversed)
  }

  /// Takes rows into an empty table.
  /// - Complexity: O(n) for rows in the order of the primary key, else see ``RowOrder/sort(_:)``
  func load(_ batches: [ContiguousArray<Row>]) throws(EngineError) {
    try withExtendedLifetime(batches) { () throws(EngineError) in
      let order = primary.order
      var rows: ContiguousArray<PlacedRow> = []
      rows.reserveCapacity(batches.reduce(0) { $0 + $1.count })
      for batch in batches {
        for row in batch { try checkLayout(row) }
        batch.withUnsafeBufferPointer { batch in
          guard let first = batch.baseAddress else { return }
          for place in batch.indices { rows.append(order.placed(first + place)) }
        }
      }
      if !order.isAscending(rows) {
        order.sort(&rows)
        for i in rows.indices.dropFirst() where order.compare(rows[i - 1], rows[i]) == 0 {
          throw .rowExists(rows[i].row.row)
        }
      }
      try faults.check()
      if primary.rows.isEmpty, connectionCount == 0 {
        indexes = [SourceIndex(order, sorted: rows)]
      } else {
        for row in rows { try push(.add(row.row.row)) }
      }
    }
  }

  /// Delivers a change to all connections and then stores it.
  ///
  /// An edit that changes a column some connection joins by is delivered and stored as a removal
  /// and then an addition. A null there counts as changed, as it equals nothing.
  /// - Throws: `rowExists`, `rowMissing` or `wrongLayout` before anything changed, or whatever the
  ///   change led to, in which case the branch `requiresRebuild`.
  func push(_ change: SourceChange) throws(EngineError) {
    try checkLayout(change.row)
    switch change {
    case .add(let row):
      let place = primary.place(of: row)
      try faults.check()
      guard !place.isFound else { throw .rowExists(row) }
      try deliver(.add(row), at: place)
    case .remove(let row):
      let (stored, place) = try existing(row)
      try deliver(.remove(stored), at: place)
    case .edit(let old, let new):
      try checkLayout(old)
      let (stored, place) = try existing(old)
      if !primary.order.isSame(stored, new) {
        let taken = primary.stored(new)
        try faults.check()
        guard taken == nil else { throw .rowExists(new) }
      }
      if splits(stored, new) {
        try deliver(.remove(stored), at: place)
        try deliver(.add(new), at: primary.place(of: new))
      } else {
        try deliver(.edit(old: stored, new: new), at: place)
      }
    }
  }

  // MARK: -

  private func checkLayout(_ row: Row) throws(EngineError) {
    guard row.layout === layout else { throw .wrongLayout(row, table.name) }
  }

  private func existing(_ row: Row) throws(EngineError) -> (Row, SourceIndex.Place) {
    let place = primary.place(of: row)
    try faults.check()
    guard place.isFound else { throw .rowMissing(row) }
    return (primary.rows[place.path], place)
  }

  private func splits(_ old: Row, _ new: Row) -> Bool {
    let count = layout.columns.count
    for column in splitColumns.keys {
      let (a, b) = (
        ColumnView(old.packedBase, count, column), ColumnView(new.packedBase, count, column)
      )
      if !ColumnComparison.joins(a, b) { return true }
    }
    return false
  }

  /// One round: each connection in turn sees the change, then the indexes take it.
  ///
  /// - Parameter place: where the change is in the order of the primary key, see `SourceIndex.apply`.
  ///   Connections do not change indexes, so that it holds until the change is stored.
  private func deliver(_ change: Change, at place: SourceIndex.Place) throws(EngineError) {
    if connectionCount > 0 { try tell(change) }
    primary.apply(change, at: place)
    for index in indexes.dropFirst() { index.apply(change) }
    if faults.isRaised { try fail() }
  }

  private func tell(_ change: Change) throws(EngineError) {
    epoch += 1
    overlay = change
    defer { overlay = nil }
    for connection in receivers(change) {
      connection.deliver(change, epoch: epoch)
      if faults.isRaised { try fail() }
    }
  }

  private func fail() throws(EngineError) {
    do {
      try faults.check()
    } catch {
      var error = error
      error.requiresRebuild = true
      throw error
    }
  }

  func brokenInvariant() -> String? {
    if overlay != nil { return "table \(table.name) is idle and has a change under way" }
    for index in indexes {
      let order = index.order
      let broken = index.rows.brokenInvariant(
        order: { order.compare($0, $1) }, prefix: { order.prefix($0.packedBase) })
      if let broken { return "table \(table.name): \(broken)" }
      if index.rows.count != primary.rows.count { return "table \(table.name): orders differ" }
    }
    return nil
  }
}
