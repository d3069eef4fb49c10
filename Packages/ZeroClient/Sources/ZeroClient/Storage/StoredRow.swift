@_spi(Engine) import ZeroProtocol
@_spi(Engine) import ZeroStoreMemory

/// The value of a row in the store: a format byte and the row's block.
enum StoredRow {
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
    value.withUnsafeBytes { decode($0, layout) }
  }

  /// The row, or nil if the bytes are not one of the layout.
  static func decode(_ value: UnsafeRawBufferPointer, _ layout: RowLayout) -> Row? {
    guard value.first == StorageValue.packedRow else { return nil }
    return Row(packed: UnsafeRawBufferPointer(rebasing: value.dropFirst()), layout: layout)
  }
}

/// Writes rows of one table of a group in a transaction. A store in memory keeps the rows themselves.
struct StoredRowWriter {
  private let transaction: any StoreTransaction
  private let memory: (any RowKeeping)?
  private let prefix: [UInt8]
  private let maxKeyBytes: Int

  init(_ transaction: any StoreTransaction, group: String, table: String, maxKeyBytes: Int) {
    self.transaction = transaction
    memory = transaction as? any RowKeeping
    prefix = StorageKey.prefix(group: group, table: table)
    self.maxKeyBytes = maxKeyBytes
  }

  /// Sets the row whose primary key has that text, or removes it.
  func set(_ row: Row?, key text: String) throws {
    let table = DatabaseTable.rows.table
    if let row, let memory, let column = Self.textColumn(of: row),
      prefix.count + text.utf8.count <= maxKeyBytes
    {
      return try memory.put(
        table, RowRecordKey(prefix, column: column), format: StorageValue.packedRow, row)
    }
    let key = StorageKey.row(prefix: prefix, key: text, maxKeyBytes: maxKeyBytes)
    if let row, let memory {
      try memory.put(table, RowRecordKey(key), format: StorageValue.packedRow, row)
    } else if let row {
      try transaction.put(table, key, StoredRow.encode(row))
    } else {
      try transaction.delete(table, key)
    }
  }

  // MARK: -

  /// The column whose text is that of the primary key, if there is one.
  private static func textColumn(of row: Row) -> Int? {
    let columns = row.layout.primaryKey
    return columns.count == 1 && row.tag(columns[0]) == .string ? columns[0] : nil
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
