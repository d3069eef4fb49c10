@_spi(Engine) import ZeroProtocol

/// The value of a row in the store: a format byte and the row's block.
enum StoredRow {
  static func encode(_ row: Row) -> [UInt8] {
    row.withPackedBytes { block in
      [UInt8](unsafeUninitializedCapacity: block.count + 1) { bytes, count in
        bytes[0] = StorageValue.packedRow
        UnsafeMutableRawBufferPointer(bytes).baseAddress.map { base in
          block.baseAddress.map { (base + 1).copyMemory(from: $0, byteCount: block.count) }
        }
        count = block.count + 1
      }
    }
  }

  /// The row, or nil if the bytes are not one of the layout.
  static func decode(_ value: RawSpan, _ layout: RowLayout) -> Row? {
    value.withUnsafeBytes { bytes in
      guard bytes.first == StorageValue.packedRow else { return nil }
      return Row(packed: UnsafeRawBufferPointer(rebasing: bytes.dropFirst()), layout: layout)
    }
  }
}

extension Row {
  /// Whether the key columns have values of their types, so that there is an order of the rows.
  func hasKey(of table: TableDescriptor) -> Bool {
    layout.primaryKey.allSatisfy { tag($0).isKey(of: table.columns[$0].type) }
  }
}

extension Row.Tag {
  /// Whether a value of this kind may be in a key column of the type.
  fileprivate func isKey(of type: ColumnType) -> Bool {
    switch self {
    case .absent, .null, .json: false
    case .false, .true: type == .boolean
    case .integer, .double: type == .number
    case .string: type == .string
    }
  }
}
