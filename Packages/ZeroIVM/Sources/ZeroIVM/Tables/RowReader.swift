public import ZeroProtocol

/// What the initializers of table structs read from: an entry of a result, by ordinals of the
/// table's descriptor.
public struct RowReader {
  @usableFromInline let row: Row
  /// The table's own layout and relations, which ordinals refer to.
  @usableFromInline let layout: RowLayout
  @usableFromInline let relations: [RelationDescriptor]
  /// Whether the row has the table's own layout, so that ordinals are places in it.
  @usableFromInline let isDirect: Bool
  @usableFromInline let entry: Entry

  /// Reads `entry` as a row of `table`.
  public init(_ entry: Entry, _ table: TableDescriptor) {
    self.entry = entry
    layout = table.layout
    relations = table.relations
    row = entry.row
    isDirect = row.layout === layout
  }

  /// The value of column `i`. A column that the row lacks counts as null.
  /// - Throws: a null for which the type has no value, or a value of another type.
  @inlinable public func value<V: ZeroValue>(
    _ i: Int, as _: V.Type = V.self
  ) throws(RowDecodingError) -> V {
    let value = isDirect ? row[i] : row[layout.columns[i].name]
    switch value {
    case .null, .absent:
      if let substitute = V.valueForNull { return substitute }
      throw error(i, .null)
    default:
      if let decoded = V(zero: value) { return decoded }
      throw error(i, .typeMismatch(found: value.jsonValue.jsonString))
    }
  }

  /// The rows nested under relation `i`; nil if the query did not ask for them.
  @inlinable public func many<C: ZeroTable>(
    _ i: Int, of _: C.Type = C.self
  ) throws(RowDecodingError) -> [C]? {
    guard let data = entry[relations[i].name] else { return nil }
    return try [C](decoding: data)
  }

  /// The row nested under relation `i`; nil if there is none, or if the query did not ask for it.
  @inlinable public func one<C: ZeroTable>(
    _ i: Int, of _: C.Type = C.self
  ) throws(RowDecodingError) -> C? {
    guard let data = entry[relations[i].name] else { return nil }
    return try C?(decoding: data)
  }

  // MARK: -

  @usableFromInline func error(_ i: Int, _ reason: RowDecodingError.Reason) -> RowDecodingError {
    RowDecodingError(table: layout.table, column: layout.columns[i].name, reason: reason)
  }
}
