/// What a row's block belongs to. The count is repeated so that reading a column does not have to
/// follow the reference.
@usableFromInline
struct RowHeader {
  @usableFromInline let layout: RowLayout
  @usableFromInline let columnCount: UInt16

  @usableFromInline init(_ layout: RowLayout) {
    self.layout = layout
    self.columnCount = UInt16(layout.columnCount)
  }
}

/// The block of a ``Row``: tags, ends and bytes as described there.
/// Written only by `RowBuilder` before the row is published, never changed afterwards.
@usableFromInline
final class RowStorage: ManagedBuffer<RowHeader, UInt8> {
  @inlinable var base: UnsafeRawPointer {
    withUnsafeMutablePointerToElements { UnsafeRawPointer($0) }
  }

  // Through the pointer, since reading the property checks for exclusive access each time.
  @inlinable var columnCount: Int {
    withUnsafeMutablePointerToHeader { Int($0.pointee.columnCount) }
  }

  @inlinable var layout: RowLayout { withUnsafeMutablePointerToHeader { $0.pointee.layout } }

  @inlinable func tag(_ i: Int) -> Row.Tag {
    precondition(i >= 0 && i < columnCount, "column index out of range")
    return Row.Tag(rawValue: base.load(fromByteOffset: 1 + i, as: UInt8.self)).unsafelyUnwrapped
  }

  /// Where the bytes of column `i` are, from `base`.
  @inlinable func range(_ i: Int) -> (start: Int, end: Int) {
    let base = self.base
    let count = columnCount
    precondition(i >= 0 && i < count, "column index out of range")
    let ends = base + 1 + count
    if base.load(as: UInt8.self) == 0 {
      let head = 1 + count * 3
      let end = Int(ends.loadUnaligned(fromByteOffset: i * 2, as: UInt16.self))
      let start = i == 0 ? 0 : Int(ends.loadUnaligned(fromByteOffset: i * 2 - 2, as: UInt16.self))
      return (head + start, head + end)
    }
    let head = 1 + count * 5
    let end = Int(ends.loadUnaligned(fromByteOffset: i * 4, as: UInt32.self))
    let start = i == 0 ? 0 : Int(ends.loadUnaligned(fromByteOffset: i * 4 - 4, as: UInt32.self))
    return (head + start, head + end)
  }

  /// The bytes of column `i`. Valid while the storage is.
  @inlinable func bytes(_ i: Int) -> UnsafeRawBufferPointer {
    let (start, end) = range(i)
    return UnsafeRawBufferPointer(start: base + start, count: end - start)
  }

  /// The number in column `i`, whose tag is `integer` or `double`.
  @inlinable func number(_ i: Int, _ tag: Row.Tag) -> Double {
    let start = base + range(i).start
    return tag == .integer
      ? Double(start.loadUnaligned(as: Int32.self)) : start.loadUnaligned(as: Double.self)
  }

  /// Size of the whole block.
  var byteCount: Int {
    let count = columnCount
    return count == 0 ? 1 : range(count - 1).end
  }

  func hasEqualBytes(_ other: RowStorage) -> Bool {
    equalBytes(
      UnsafeRawBufferPointer(start: base, count: byteCount),
      UnsafeRawBufferPointer(start: other.base, count: other.byteCount))
  }
}
