/// The columns of a row, read in place and without counting references.
///
/// Valid only while the row's storage is kept alive. `count` is the number of columns of the
/// layout, which the reader knows beforehand; indexes are below it.
struct PackedColumns {
  let base: UnsafeRawPointer
  let count: Int

  func tag(_ i: Int) -> Row.Tag {
    Row.Tag(rawValue: base.load(fromByteOffset: 1 + i, as: UInt8.self)).unsafelyUnwrapped
  }

  /// The bytes of column `i`.
  func bytes(_ i: Int) -> UnsafeRawBufferPointer {
    let ends = base + 1 + count
    let start: Int
    let end: Int
    let values: UnsafeRawPointer
    if base.load(as: UInt8.self) == 0 {
      values = ends + count * 2
      end = Int(ends.loadUnaligned(fromByteOffset: i * 2, as: UInt16.self))
      start = i == 0 ? 0 : Int(ends.loadUnaligned(fromByteOffset: (i - 1) * 2, as: UInt16.self))
    } else {
      values = ends + count * 4
      end = Int(ends.loadUnaligned(fromByteOffset: i * 4, as: UInt32.self))
      start = i == 0 ? 0 : Int(ends.loadUnaligned(fromByteOffset: (i - 1) * 4, as: UInt32.self))
    }
    return UnsafeRawBufferPointer(start: values + start, count: end - start)
  }

  /// The number in column `i`, whose tag is `integer` or `double`.
  func number(_ i: Int, _ tag: Row.Tag) -> Double {
    let bytes = bytes(i)
    return tag == .integer
      ? Double(bytes.loadUnaligned(as: Int32.self)) : bytes.loadUnaligned(as: Double.self)
  }
}
