import ZeroProtocol

extension PipelineBuilder {
  /// Connects a level to its table. The connection applies what of the condition concerns rows alone.
  func connect(
    _ source: MemorySource, _ query: AST, _ partition: KeyColumns?, isOrdered: Bool
  ) throws(EngineError) -> Connection {
    let layout = source.layout
    var splitColumns = partition.map { Array($0.columns) } ?? []
    let correlations =
      (query.where?.existsConditions.map(\.related) ?? []) + (query.related ?? [])
    for correlation in correlations.map(\.correlation) {
      for column in try key(correlation.parentField, layout).columns
      where !splitColumns.contains(column) {
        splitColumns.append(column)
      }
    }
    let condition = query.where?.rowPart.filter
    let filter = try condition.map { (condition) throws(EngineError) in
      try RowFilter(condition, layout, branch.faults)
    }
    return Connection(
      source, order: isOrdered ? order(query.orderBy, layout) : source.primary.order,
      filter: filter, pinned: condition.flatMap { pinned($0, source) }, splitColumns: splitColumns)
  }

  /// The columns of a table by name.
  func key(_ columns: [String], _ layout: RowLayout) throws(EngineError) -> KeyColumns {
    var places: [Int] = []
    for column in columns {
      guard let place = layout.index(of: column) else {
        throw .unknownColumn(column, layout.table)
      }
      places.append(place)
    }
    guard !places.isEmpty else { throw .emptyCorrelation(layout.table) }
    return KeyColumns(places, layout)
  }

  func bound(_ start: Start, _ layout: RowLayout) -> Bound {
    var builder = RowBuilder()
    builder.begin(layout)
    for (column, value) in start.row.members {
      if let place = layout.index(of: column) { builder.set(place, value) }
    }
    return Bound(row: builder.finish(), isInclusive: !start.exclusive)
  }

  // MARK: -

  private func order(_ ordering: Ordering?, _ layout: RowLayout) -> RowOrder {
    // A column that the table lacks is null in every row and orders nothing.
    let parts = (ordering ?? []).compactMap { part in
      layout.index(of: part.column).map {
        RowOrder.Part(column: $0, isDescending: part.direction == .desc)
      }
    }
    let rest = layout.primaryKey.map { RowOrder.Part(column: $0, isDescending: false) }
    return RowOrder(parts + rest, layout, branch.faults)
  }

  /// The only primary key that a filter allows, if it fixes all of it.
  private func pinned(_ condition: Condition, _ source: MemorySource) -> Constraint? {
    var values: [Int: Value] = [:]
    condition.collectEqualities { column, value in
      if let place = source.layout.index(of: column) { values[place] = value }
    }
    var builder = RowBuilder()
    builder.begin(source.layout)
    for place in source.layout.primaryKey {
      guard let value = values[place] else { return nil }
      builder.set(place, value)
    }
    return Constraint(
      key: source.primaryKey, values: builder.finish(), valueKey: source.primaryKey)
  }
}
