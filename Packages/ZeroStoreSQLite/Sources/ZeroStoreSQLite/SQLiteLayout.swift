import CZeroSQLite
import ZeroProtocol
import ZeroStoreCore

/// How a database lies in its SQLite file.
///
/// - `PRAGMA application_id` is `Zero` and `PRAGMA user_version` the layout version.
/// - `zero_meta(key, value)` holds the database's name under `name`.
/// - Each table `x` of the store is `t_x(k, v)`: the key, and the value followed by the checksum of both
///   in four bytes, lowest first; `WITHOUT
///   ROWID`, so that the table is its own index in byte order. A capital letter `X` becomes `$x`.
struct SQLiteLayout {
  static let version = 1
  static let metaTable = "zero_meta"
  static let metaTableSQL =
    "CREATE TABLE \(metaTable) (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
  private static let applicationID = 0x5A65_726F

  let connection: SQLiteConnection
  let database: String

  /// The quoted name of a table's SQLite table.
  static func table(_ name: String) -> String {
    // SQLite does not tell capital letters from small ones.
    var sqlName = ""
    for character in name {
      sqlName += character.isUppercase ? "$" + character.lowercased() : String(character)
    }
    return "\"t_\(sqlName)\""
  }

  /// What makes a table of records, which is also what its file's schema says.
  static func tableSQL(_ quotedName: String) -> String {
    "CREATE TABLE \(quotedName) (k BLOB PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID"
  }

  /// Checks what the header of a file says that it is.
  /// - Throws: `incompatible` for a newer layout, `corrupt` if it is something else.
  static func check(applicationID: Int, version: Int, database: String) throws(StoreError) {
    guard applicationID == Self.applicationID, version >= 1 else {
      throw StoreError(
        .corrupt, database: database, message: "it is an SQLite file, but not one of this store")
    }
    guard version <= Self.version else {
      throw StoreError(
        .incompatible, database: database,
        message: "its layout has version \(version) and this app reads up to \(Self.version); "
          + "update the app",
        underlyingCode: version)
    }
  }

  /// Makes an empty file a database.
  func create(_ tables: [String]) throws(StoreError) {
    try transaction { () throws(StoreError) in
      try connection.execute(Self.metaTableSQL)
      let statement = try connection.prepare("INSERT INTO zero_meta VALUES ('name', ?1)")
      defer { sqlite3_finalize(statement) }
      let code = sqlite3_bind_text(
        statement, 1, database, Int32(clamping: database.utf8.count), SQLiteConnection.copies)
      guard code == SQLITE_OK else { throw connection.error(code, doing: "store the name") }
      guard sqlite3_step(statement) == SQLITE_DONE else {
        throw connection.error(sqlite3_extended_errcode(connection.handle), doing: "store the name")
      }
      try connection.execute("PRAGMA application_id = \(Self.applicationID)")
      try connection.execute("PRAGMA user_version = \(Self.version)")
      try createTables(tables)
    }
  }

  /// Checks that the file is a database of this layout and name, before anything is changed.
  /// - Throws: `incompatible` for a newer layout, `corrupt` if it is something else.
  func check() throws(StoreError) {
    let version = try connection.execute("PRAGMA user_version").first.flatMap { Int($0) } ?? 0
    let application = try connection.execute("PRAGMA application_id").first.flatMap { Int($0) } ?? 0
    try Self.check(applicationID: application, version: version, database: database)
    let tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'zero_meta'"
    guard try connection.execute(tables) == ["1"] else {
      throw corrupt("it has no table zero_meta")
    }
    let name = try connection.execute("SELECT value FROM zero_meta WHERE key = 'name'").first
    guard let name, name.utf8.elementsEqual(database.utf8) else {
      throw corrupt("it holds the database \"\(name ?? "")\"")
    }
  }

  /// Adds the tables that are missing.
  func addTables(_ tables: [String]) throws(StoreError) {
    let present = Set(try sqlTables())
    let missing = tables.filter { !present.contains(Self.table($0)) }
    if missing.isEmpty { return }
    try transaction { () throws(StoreError) in try createTables(missing) }
  }

  /// Reads everything: SQLite's own check of all pages, then every record's checksum.
  func checkThoroughly() throws(StoreError) {
    let findings = try connection.execute("PRAGMA integrity_check(1)")
    guard findings == ["ok"] else { throw corrupt(findings.first ?? "its check says nothing") }
    for table in try sqlTables() {
      let sql = "SELECT k, v FROM \(table) ORDER BY k"
      let statement = try connection.prepare(sql)
      defer { sqlite3_finalize(statement) }
      var code = sqlite3_step(statement)
      while code == SQLITE_ROW {
        let key = SQLiteTransaction.blob(statement, 0)
        guard RecordChecksum.value(in: SQLiteTransaction.blob(statement, 1), key: key) != nil else {
          throw corrupt("a record in the table \(table) has another checksum")
        }
        code = sqlite3_step(statement)
      }
      guard code == SQLITE_DONE else { throw connection.error(code, doing: sql) }
    }
  }

  // MARK: -

  /// Quoted names of the tables that hold records.
  private func sqlTables() throws(StoreError) -> [String] {
    try connection.execute(
      "SELECT '\"' || name || '\"' FROM sqlite_schema WHERE type = 'table' AND name GLOB 't[_]*'")
  }

  private func createTables(_ tables: [String]) throws(StoreError) {
    for table in tables { try connection.execute(Self.tableSQL(Self.table(table))) }
  }

  private func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try connection.begin()
    do {
      try body()
      try connection.commit()
    } catch {
      connection.rollBack()
      throw error
    }
  }

  private func corrupt(_ what: String) -> StoreError {
    StoreError(.corrupt, database: database, message: what)
  }
}
