@_spi(Engine) public import ZeroProtocol

/// A row of a result with the rows related to it.
///
/// A value: what a view once showed does not change. A row that did not change between two states
/// of a view is the same block in both, see ``isIdentical(to:)``.
public struct Entry: Sendable {
  /// The row itself.
  public private(set) var row: Row
  /// Absent for an entry without related rows that is reached over one path.
  private var detail: EntryDetail?

  /// Whether both are the same entry, not only equal ones.
  public func isIdentical(to other: Entry) -> Bool {
    row === other.row && detail === other.detail
  }

  /// The related rows in a slot of the result's shape; nil if the shape has no such slot.
  public func related(_ slot: Int) -> ViewData? {
    guard let detail, detail.related.indices.contains(slot) else { return nil }
    return detail.related[slot]
  }

  /// The related rows under a relationship's name; nil if the query did not ask for it.
  public subscript(relationship: String) -> ViewData? {
    detail?.shape?.slot(of: relationship).flatMap { related($0) }
  }

  /// What the related rows look like; nil if the query asked for none.
  public var shape: ResultShape? { detail?.shape }

  /// Over how many junction rows of the same parent the row is reached; it is shown once.
  public var pathCount: Int { count }

  /// The value of a column.
  public func value(_ column: String) -> Value { row[column] }

  // MARK: -

  init(_ row: Row) { self.row = row }

  init(_ row: Row, _ related: ContiguousArray<ViewData>, _ shape: ResultShape) {
    self.row = row
    detail = EntryDetail(count: 1, related: related, shape: shape)
  }

  var count: Int { detail?.count ?? 1 }

  /// Takes the new row's columns; one that it lacks keeps the value that is shown.
  mutating func setRow(_ new: Row) { row = new.laid(over: row) }

  mutating func setCount(_ count: Int) {
    guard count != self.count else { return }
    let detail = ownDetail()
    detail.count = count
    self.detail = count == 1 && detail.related.isEmpty ? nil : detail
  }

  mutating func update(_ slot: Int, _ body: (inout ViewData) -> Void) {
    let detail = ownDetail()
    guard detail.related.indices.contains(slot) else { return }
    body(&detail.related[slot])
  }

  /// The detail, copied if another entry has it too.
  private mutating func ownDetail() -> EntryDetail {
    if isKnownUniquelyReferenced(&detail), let detail { return detail }
    let copy = EntryDetail(
      count: count, related: detail?.related ?? [], shape: detail?.shape)
    detail = copy
    return copy
  }
}

/// What an entry has beyond its row.
///
/// Safe to share, in place of a lock: changed only while exactly one entry has it.
private final class EntryDetail: @unchecked Sendable {
  var count: Int
  var related: ContiguousArray<ViewData>
  let shape: ResultShape?

  init(count: Int, related: ContiguousArray<ViewData>, shape: ResultShape?) {
    self.count = count
    self.related = related
    self.shape = shape
  }
}

/// What a query, or a relationship of an entry, shows.
public enum ViewData: Sendable {
  case many(EntryList)
  /// Of a singular query or relationship: the row, if there is one.
  case one(Entry?)

  /// The entries as a list, also of a singular result.
  public var entries: EntryList {
    switch self {
    case .many(let list): list
    case .one(let entry): entry.map { EntryList($0) } ?? EntryList()
    }
  }
}

extension Entry: BTreeElement {
  /// A view's nodes are copied whenever somebody has kept an earlier state of it.
  static var nodeWidth: Int { 16 }

  var key: UnsafeRawPointer { row.packedBase }

  /// The row comes first in an entry's memory.
  @inline(__always)
  static func key(at place: UnsafePointer<Entry>) -> UnsafeRawPointer {
    Row.packedBase(at: UnsafeRawPointer(place).assumingMemoryBound(to: Row.self))
  }
}
