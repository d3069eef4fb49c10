@_spi(Engine) import ZeroProtocol
@_spi(Engine) import ZeroStoreMemory

/// The value of a row in the store: a format byte and the row's block.
enum StoredRow {
  /// Stores the row whose primary key has that text. A store in memory keeps the row itself.
  static func put(
    _ row: Row, key text: String, prefix: [UInt8], in transaction: any StoreTransaction,
    maxKeyBytes: Int
  ) throws {
    let table = DatabaseTable.rows.table
    guard let memory = transaction as? any RowKeeping else {
      let key = StorageKey.row(prefix: prefix, key: text, maxKeyBytes: maxKeyBytes)
      return try transaction.put(table, key, encode(row))
    }
    let columns = row.layout.primaryKey
    let key =
      columns.count == 1 && row.tag(columns[0]) == .string
        && prefix.count + text.utf8.count <= maxKeyBytes
      ? RowRecordKey(prefix, column: columns[0])
      : RowRecordKey(StorageKey.row(prefix: prefix, key: text, maxKeyBytes: maxKeyBytes))
    try memory.put(table, key, format: StorageValue.packedRow, row)
  }

  /// The rows under a prefix if the store kept them as they are, all of them in that layout.
  static func kept(
    _ snapshot: any StoreSnapshot, prefix: [UInt8], _ layout: RowLayout
  ) throws -> ContiguousArray<Row>? {
    guard let memory = snapshot as? any RowKeeping,
      let rows = try memory.rows(DatabaseTable.rows.table, prefix: prefix),
      rows.allSatisfy({ $0.layout === layout })
    else { return nil }
    return rows
  }

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
