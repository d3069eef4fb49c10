import ZeroProtocol

extension Row {
  /// This row with the columns that it lacks taken from `other`.
  func laid(over other: Row) -> Row {
    let columns = layout.columns.indices
    guard columns.contains(where: { tag($0) == .absent && other.tag($0) != .absent }) else {
      return self
    }
    var builder = RowBuilder()
    builder.begin(layout)
    for column in columns { builder.set(column, from: tag(column) == .absent ? other : self) }
    return builder.finish()
  }
}
