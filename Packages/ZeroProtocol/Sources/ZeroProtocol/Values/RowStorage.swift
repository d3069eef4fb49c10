/// The block of a ``Row``: the header is its layout, the elements are the bytes described there.
/// Written only by `RowBuilder` before the row is published, never changed afterwards.
@usableFromInline
final class RowStorage: ManagedBuffer<RowLayout, UInt8> {
  @inlinable var base: UnsafeRawPointer {
    withUnsafeMutablePointerToElements { UnsafeRawPointer($0) }
  }

  @inlinable var columnCount: Int { header.columns.count }

  /// Two or four: the size of an end.
  @inlinable func endSize(_ base: UnsafeRawPointer) -> Int {
    base.load(as: UInt8.self) == 0 ? 2 : 4
  }

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
      let bytes = 1 + count + count * 2
      let end = Int(ends.loadUnaligned(fromByteOffset: i * 2, as: UInt16.self))
      let start = i == 0 ? 0 : Int(ends.loadUnaligned(fromByteOffset: (i - 1) * 2, as: UInt16.self))
      return (bytes + start, bytes + end)
    }
    let bytes = 1 + count + count * 4
    let end = Int(ends.loadUnaligned(fromByteOffset: i * 4, as: UInt32.self))
    let start = i == 0 ? 0 : Int(ends.loadUnaligned(fromByteOffset: (i - 1) * 4, as: UInt32.self))
    return (bytes + start, bytes + end)
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
    let size = byteCount
    let a = UnsafeRawBufferPointer(start: base, count: size)
    let b = UnsafeRawBufferPointer(start: other.base, count: other.byteCount)
    return a.elementsEqual(b)
  }
}
