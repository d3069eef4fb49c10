/// A row of `sqlite_schema`, which says what an object of the database is and where.
struct SQLiteSchemaEntry {
  /// What the store knows about an object.
  enum Owner {
    /// `zero_meta`, whose records are texts.
    case names
    /// A table of records.
    case records
    /// Another program; the store leaves it alone.
    case another
  }

  let name: String
  let owner: Owner
  /// The first page of its tree; nil if it has none.
  let root: Int?

  /// - Throws: if the row is neither one that the store makes nor one that another program can have made.
  init(_ record: UnsafeRawBufferPointer) throws(SQLitePageWalk.Damage) {
    guard let columns = Self.columns(of: record), case .text(let type) = columns[0],
      case .text(let name) = columns[1], case .text(let table) = columns[2]
    else { throw SQLitePageWalk.Damage(what: "a row of its schema cannot be read") }
    self.name = name
    let sql = if case .text(let text) = columns[4] { text } else { "" }
    root = if case .number(let page) = columns[3], page > 0 { page } else { nil }

    let isTable = Self.same(type, "table")
    if Self.same(name, SQLiteLayout.metaTable) {
      owner = .names
      guard isTable, Self.same(table, name), Self.same(sql, SQLiteLayout.metaTableSQL) else {
        throw Self.other(name)
      }
    } else if Self.isRecordTable(name) {
      owner = .records
      guard isTable, Self.same(table, name), Self.same(sql, SQLiteLayout.tableSQL("\"\(name)\""))
      else { throw Self.other(name) }
    } else {
      owner = .another
      let isView = Self.same(type, "view")
      let isIndex = Self.same(type, "index")
      guard isTable || isView || isIndex || Self.same(type, "trigger"),
        !(isTable || isView) || Self.same(table, name),
        isIndex || sql.utf8.starts(with: "CREATE ".utf8)
      else { throw Self.other(name) }
    }
    guard root != nil || owner == .another else { throw Self.other(name) }
  }

  // MARK: -

  private enum Column {
    case null, number(Int), text(String)
  }

  /// The five columns of a row, or nil if it has others or they do not fill it.
  private static func columns(of record: UnsafeRawBufferPointer) -> [Column]? {
    guard let start = record.baseAddress else { return nil }
    var offset = 0
    let headerBytes = SQLiteRecord.varint(start, &offset, limit: record.count)
    guard headerBytes <= UInt64(record.count) else { return nil }
    var place = Int(headerBytes)
    var columns: [Column] = []
    while offset < Int(headerBytes) {
      let type = SQLiteRecord.varint(start, &offset, limit: Int(headerBytes))
      let isText = type >= 13 && type % 2 == 1
      let byteCount: UInt64 =
        switch type {
        case 0, 8, 9: 0
        case 1...4: type
        case 5: 6
        case 6: 8
        default: isText ? (type - 13) / 2 : .max
        }
      guard byteCount <= UInt64(record.count - place) else { return nil }
      let bytes = record[place..<place + Int(byteCount)]
      place += Int(byteCount)
      if isText {
        columns.append(.text(String(decoding: bytes, as: UTF8.self)))
      } else if type == 0 {
        columns.append(.null)
      } else {
        let sign: Int64 = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? Int64(type) - 8
        columns.append(.number(Int(clamping: bytes.reduce(sign) { $0 << 8 | Int64($1) })))
      }
    }
    return place == record.count && columns.count == 5 ? columns : nil
  }

  /// Whether the store takes a table of this name for one of its own.
  private static func isRecordTable(_ name: String) -> Bool {
    name.utf8.starts(with: "t_".utf8)
  }

  private static func same(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }

  private static func other(_ name: String) -> SQLitePageWalk.Damage {
    SQLitePageWalk.Damage(what: "its schema has \"\(name)\" other than this store makes it")
  }
}
