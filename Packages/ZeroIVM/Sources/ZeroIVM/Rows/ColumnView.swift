@_spi(Engine) import ZeroProtocol

/// One column of a row, read in place without counting a reference.
///
/// Valid while the row is alive. `columnCount` is that of the row's layout and `column` is below it.
struct ColumnView {
  let base: UnsafeRawPointer
  let columnCount: Int
  let column: Int

  @inline(__always)
  init(_ base: UnsafeRawPointer, _ columnCount: Int, _ column: Int) {
    self.base = base
    self.columnCount = columnCount
    self.column = column
  }

  /// The raw value of the column's `Row.Tag`.
  @inline(__always) var tag: UInt8 { base.load(fromByteOffset: 1 + column, as: UInt8.self) }

  @inline(__always) var isNull: Bool { tag <= Tag.null }

  /// The bytes of the column's value.
  @inline(__always) var bytes: UnsafeRawBufferPointer {
    let ends = base + 1 + columnCount
    if base.load(as: UInt8.self) == 0 {
      let values = ends + columnCount * 2
      let end = Int(ends.loadUnaligned(fromByteOffset: column * 2, as: UInt16.self))
      let start =
        column == 0
        ? 0 : Int(ends.loadUnaligned(fromByteOffset: (column - 1) * 2, as: UInt16.self))
      return UnsafeRawBufferPointer(start: values + start, count: end - start)
    }
    let values = ends + columnCount * 4
    let end = Int(ends.loadUnaligned(fromByteOffset: column * 4, as: UInt32.self))
    let start =
      column == 0
      ? 0 : Int(ends.loadUnaligned(fromByteOffset: (column - 1) * 4, as: UInt32.self))
    return UnsafeRawBufferPointer(start: values + start, count: end - start)
  }

  /// The number, given that the tag is `integer` or `double`.
  @inline(__always) var number: Double {
    let bytes = bytes
    return tag == Tag.integer
      ? Double(bytes.loadUnaligned(as: Int32.self)) : bytes.loadUnaligned(as: Double.self)
  }

  enum Tag {
    static let null = Row.Tag.null.rawValue
    static let `false` = Row.Tag.false.rawValue
    static let `true` = Row.Tag.true.rawValue
    static let integer = Row.Tag.integer.rawValue
    static let double = Row.Tag.double.rawValue
    static let string = Row.Tag.string.rawValue
    static let json = Row.Tag.json.rawValue
  }
}

extension UnsafeRawBufferPointer {
  /// Negative, zero or positive as these bytes sort before, with or after `other`.
  @inline(__always)
  func order(_ other: UnsafeRawBufferPointer) -> Int {
    let shared = Swift.min(count, other.count)
    guard shared > 0, let a = baseAddress, let b = other.baseAddress else {
      return count - other.count
    }
    var i = 0
    while i &+ 8 <= shared {
      let x = a.loadUnaligned(fromByteOffset: i, as: UInt64.self)
      let y = b.loadUnaligned(fromByteOffset: i, as: UInt64.self)
      if x != y { return UInt64(bigEndian: x) < UInt64(bigEndian: y) ? -1 : 1 }
      i &+= 8
    }
    if i < shared {
      if shared >= 8 {
        // The last eight bytes, some of which are known to be equal.
        let x = a.loadUnaligned(fromByteOffset: shared &- 8, as: UInt64.self)
        let y = b.loadUnaligned(fromByteOffset: shared &- 8, as: UInt64.self)
        if x != y { return UInt64(bigEndian: x) < UInt64(bigEndian: y) ? -1 : 1 }
      } else {
        repeat {
          let x = a.load(fromByteOffset: i, as: UInt8.self)
          let y = b.load(fromByteOffset: i, as: UInt8.self)
          if x != y { return x < y ? -1 : 1 }
          i &+= 1
        } while i < shared
      }
    }
    return count - other.count
  }
}
