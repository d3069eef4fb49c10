public import ZeroProtocol

/// What became of one row between two states of a result.
///
/// Places are those in the lists of rows: `from` counts in the old one, `at` and `to` in the new one.
/// Structs hold the related rows of the state they are of.
public enum RowChange<T: ZeroTable>: Sendable {
  case remove(T, from: Int)
  case add(T, at: Int)
  /// Other columns, at the same place among the rows that stayed or at another.
  case edit(old: T, new: T, from: Int, to: Int)
  /// Something changed among the related rows. Comes after the `edit` of a row of which both changed.
  case child(T, at: Int, RelatedChanges<T>)
}

/// What changed among the rows related to one row.
public struct RelatedChanges<T: ZeroTable>: Sendable {
  private let old: Entry
  private let new: Entry

  init?(from old: Entry, to new: Entry) {
    self.old = old
    self.new = new
    if relationships.isEmpty { return nil }
  }

  /// The relationships with changes, by name, in the order in which the query asks for them.
  public var relationships: [String] {
    guard let shape = new.shape else { return [] }
    return shape.relationships.indices.filter { !changes($0).isEmpty }.map {
      shape.relationships[$0].name
    }
  }

  /// The changes of one relationship; none if the query did not ask for it.
  /// - Throws: the first row that cannot be read.
  public func of<C: ZeroTable, K>(
    _ relation: KeyPath<T.Relations, Relation<T, C, K>>
  ) throws(RowDecodingError) -> [RowChange<C>] {
    let name = T.relations[keyPath: relation].descriptor.name
    guard let before = old[name]?.entries, let after = new[name]?.entries else { return [] }
    return try after.rowChanges(from: before)
  }

  // MARK: -

  private func changes(_ slot: Int) -> [EntryChanges.Change] {
    guard let before = old.related(slot)?.entries, let after = new.related(slot)?.entries else {
      return []
    }
    return after.changes(from: before).changes
  }
}

extension EntryList {
  /// What changed from an earlier state of the list, as structs: first what was removed, in ascending
  /// order of the old places, then everything else in ascending order of the new ones.
  /// - Throws: the first row that cannot be read.
  /// - Complexity: O(d log n) for d changes since `old`, if this list came from it
  public func rowChanges<T: ZeroTable>(
    from old: EntryList, as _: T.Type = T.self
  ) throws(RowDecodingError) -> [RowChange<T>] {
    var result: [RowChange<T>] = []
    for change in changes(from: old).changes {
      switch change {
      case .removed(let from): result.append(.remove(try Self.decode(old[from]), from: from))
      case .inserted(let at): result.append(.add(try Self.decode(self[at]), at: at))
      case .changed(let from, let to):
        let (before, after) = (old[from], self[to])
        let row: T = try Self.decode(after)
        if before.row != after.row {
          result.append(.edit(old: try Self.decode(before), new: row, from: from, to: to))
        }
        if let related = RelatedChanges<T>(from: before, to: after) {
          result.append(.child(row, at: to, related))
        }
      }
    }
    return result
  }

  // MARK: -

  private static func decode<T: ZeroTable>(_ entry: Entry) throws(RowDecodingError) -> T {
    try T(RowReader(entry, T.table))
  }
}
