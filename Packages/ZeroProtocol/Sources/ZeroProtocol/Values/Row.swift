/// An immutable row: its table's layout and one packed block with the values of all columns.
///
/// The block starts with a flag byte, then one tag byte per column, then the end of each column's
/// bytes (two bytes each, or four when the values need more than 65,535 bytes), then the bytes
/// themselves: text as UTF-8, integers of 32 bits as such, other numbers as doubles, JSON as text.
/// Null, absent and booleans take no bytes beyond their tag and end. A row costs one allocation of 27 + 3 × columns + value
/// bytes, rounded up by the allocator; names are kept once, in the layout.
///
/// The form is canonical: two rows of one layout have equal content exactly if their blocks are
/// equal, apart from JSON values of other spelling and from minus zero, which equals zero.
///
/// Safe to share, in place of a lock: `storage` never changes once a row exists.
public struct Row: @unchecked Sendable {
  @usableFromInline let storage: RowStorage

  @inlinable init(storage: RowStorage) { self.storage = storage }

  /// The shared layout of the table's rows.
  @inlinable public var layout: RowLayout { storage.layout }

  /// How the value of a column is held.
  public enum Tag: UInt8, Sendable {
    case absent, null, `false`, `true`, integer, double, string, json
  }

  /// How column `i` is held.
  @inlinable public func tag(_ i: Int) -> Tag { storage.tag(i) }

  /// Whether column `i` is null or absent.
  @inlinable public func isNull(_ i: Int) -> Bool { storage.tag(i).rawValue <= Tag.null.rawValue }

  /// The value of column `i`, made for the caller.
  /// - Complexity: O(size of the value)
  public subscript(i: Int) -> Value { storage.value(i) }

  /// The value of the column with that client name; absent if the table has no such column.
  public subscript(column: String) -> Value { layout.index(of: column).map { self[$0] } ?? .absent }

  /// Whether both are the very same block in memory.
  @inlinable public static func === (a: Row, b: Row) -> Bool { a.storage === b.storage }
}

extension Row: Equatable {
  /// Same layout and equal values.
  public static func == (a: Row, b: Row) -> Bool {
    if a.storage === b.storage { return true }
    guard a.layout === b.layout else { return false }
    return a.storage.hasEqualBytes(b.storage)
      || a.layout.columns.indices.allSatisfy { a[$0] == b[$0] }
  }
}
