/// The columns of a row, read in place and without counting references.
///
/// Valid only while the row's storage is kept alive. `count` is the number of columns of the
/// layout, which the reader knows beforehand; indexes are below it.
struct PackedColumns {
  let base: UnsafeRawPointer
  let count: Int

  @inline(__always) func tag(_ i: Int) -> PackedTag {
    PackedTag(byte: base.load(fromByteOffset: 1 + i, as: UInt8.self))
  }

  /// The bytes of column `i`.
  @inline(__always) func bytes(_ i: Int) -> UnsafeRawBufferPointer {
    let ends = base + 1 + count
    if base.load(as: UInt8.self) == 0 {
      let values = ends + count * 2
      let end = Int(ends.loadUnaligned(fromByteOffset: i * 2, as: UInt16.self))
      let start = i == 0 ? 0 : Int(ends.loadUnaligned(fromByteOffset: i * 2 - 2, as: UInt16.self))
      return UnsafeRawBufferPointer(start: values + start, count: end - start)
    }
    let values = ends + count * 4
    let end = Int(ends.loadUnaligned(fromByteOffset: i * 4, as: UInt32.self))
    let start = i == 0 ? 0 : Int(ends.loadUnaligned(fromByteOffset: i * 4 - 4, as: UInt32.self))
    return UnsafeRawBufferPointer(start: values + start, count: end - start)
  }

  /// The number in column `i`, whose tag is one of a number.
  @inline(__always) func number(_ i: Int, _ tag: PackedTag) -> Double {
    let bytes = bytes(i)
    return tag == .integer
      ? Double(bytes.loadUnaligned(as: Int32.self)) : bytes.loadUnaligned(as: Double.self)
  }
}

/// How a column is held, as the byte that stands in a row: a ``Row/Tag`` that need not be checked.
struct PackedTag: Equatable {
  let byte: UInt8

  init(byte: UInt8) { self.byte = byte }

  init(_ tag: Row.Tag) { byte = tag.rawValue }

  static var absent: PackedTag { PackedTag(Row.Tag.absent) }
  static var null: PackedTag { PackedTag(Row.Tag.null) }
  static var `false`: PackedTag { PackedTag(Row.Tag.false) }
  static var `true`: PackedTag { PackedTag(Row.Tag.true) }
  static var integer: PackedTag { PackedTag(Row.Tag.integer) }
  static var string: PackedTag { PackedTag(Row.Tag.string) }

  @inline(__always) var isNull: Bool { byte <= Row.Tag.null.rawValue }

  @inline(__always) var isBool: Bool {
    byte == Row.Tag.false.rawValue || byte == Row.Tag.true.rawValue
  }

  @inline(__always) var isNumber: Bool {
    byte == Row.Tag.integer.rawValue || byte == Row.Tag.double.rawValue
  }

  @inline(__always) var isText: Bool { byte == Row.Tag.string.rawValue }

  var typeName: String {
    switch Row.Tag(rawValue: byte) {
    case .absent, .null, nil: "null"
    case .false, .true: "boolean"
    case .integer, .double: "number"
    case .string: "string"
    case .json: "JSON value"
    }
  }
}
