import CZeroLMDB
import ZeroProtocol
import ZeroStoreCore

/// How a database lies in its LMDB file.
///
/// - The named database `zero_meta` holds the layout version under `layout`, the database's name under
///   `name`, a ``CommitSeal`` under `seal` if the last commit carried one, and nothing under the name of
///   each table: a damaged name in the library's list of tables would otherwise be the name of another
///   table, and the one looked for new and empty.
/// - Each table `x` of the store is the named database `t_x`: from key to value, followed by the
///   checksum of both in four bytes, lowest first.
struct LMDBLayout {
  static let version = 1
  /// The table of what is not a record.
  static let notes = "zero_meta"

  let environment: LMDBEnvironment
  let transaction: OpaquePointer

  /// Makes an empty file a database.
  func create() throws(StoreError) {
    let meta = try open(Self.notes, create: true)
    try put(meta, "layout", "\(Self.version)")
    try put(meta, "name", environment.database)
  }

  /// Checks that the file is a database of this layout and name.
  /// - Throws: `incompatible` for a newer layout, `corrupt` if it is something else.
  func check() throws(StoreError) {
    var meta: MDB_dbi = 0
    let code = mdb_dbi_open(transaction, Self.notes, 0, &meta)
    guard code == 0 else {
      if code == MDB_NOTFOUND { throw corrupt("it is an LMDB file, but not one of this store") }
      throw environment.error(code, "open \(Self.notes)")
    }
    guard let version = get(meta, "layout").flatMap({ Int($0) }), version >= 1 else {
      throw corrupt("it has no layout version")
    }
    guard version <= Self.version else {
      throw StoreError(
        .incompatible, database: environment.database,
        message: "its layout has version \(version) and this app reads up to \(Self.version); "
          + "update the app",
        underlyingCode: version)
    }
    let name = get(meta, "name") ?? ""
    guard name.utf8.elementsEqual(environment.database.utf8) else {
      throw corrupt("it holds the database \"\(name)\"")
    }
  }

  /// Opens the tables, creating those that are new, and says whether there were such.
  /// - Throws: `corrupt` if one that was there is missing, whether or not it is asked for.
  func openTables(
    _ names: [String]
  ) throws(StoreError) -> (handles: [MDB_dbi], areNew: Bool) {
    let (main, meta) = (try openList(), try openNotes())
    var known: [String] = []
    try each(meta) { key, _ in
      known.append(String(decoding: key, as: UTF8.self))
      return true
    }
    for table in known where table.hasPrefix("t_") && get(main, table) == nil {
      throw corrupt("the table \(table) is missing")
    }
    var handles: [MDB_dbi] = []
    var areNew = false
    for table in names.map({ "t_\($0)" }) {
      handles.append(try open(table, create: true))
      if !known.contains(table) {
        try put(meta, table, "")
        areNew = true
      }
    }
    return (handles, areNew)
  }

  /// The table of what is not a record.
  func openNotes() throws(StoreError) -> MDB_dbi { try open(Self.notes, create: false) }

  /// Seals `transaction` as one after which the records come to `digest`; returns the library's code.
  static func seal(
    _ transaction: OpaquePointer, in notes: MDB_dbi, _ digest: StateDigest
  ) -> Int32 {
    let seal = CommitSeal(commit: UInt64(mdb_txn_id(transaction)), digest: digest)
    return put(transaction, notes, CommitSeal.key, seal.bytes)
  }

  /// Seals the transaction.
  func seal(_ digest: StateDigest, in notes: MDB_dbi) throws(StoreError) {
    let code = Self.seal(transaction, in: notes, digest)
    guard code == 0 else { throw environment.error(code, "write \(CommitSeal.key)") }
  }

  /// Removes the seal of an earlier commit.
  func removeSeal() throws(StoreError) {
    let meta = try openNotes()
    let code = Array(CommitSeal.key.utf8).withUnsafeBytes { key in
      var key = MDB_val(key)
      return mdb_del(transaction, meta, &key, nil)
    }
    guard code == 0 else { throw environment.error(code, "remove \(CommitSeal.key)") }
  }

  /// Compares every record with its checksum.
  func checkRecords() throws(StoreError) {
    let main = try openList()
    var tables: [String] = []
    try each(main) { key, _ in
      tables.append(String(decoding: key, as: UTF8.self))
      return true
    }
    for table in tables where table.hasPrefix("t_") {
      let handle = try open(table, create: false)
      let isSound = try each(handle) { key, value in
        RecordChecksum.value(in: value, key: key) != nil
      }
      guard isSound else { throw corrupt("a record in the table \(table) has another checksum") }
    }
  }

  // MARK: -

  /// The library's own list of tables.
  private func openList() throws(StoreError) -> MDB_dbi {
    var main: MDB_dbi = 0
    let code = mdb_dbi_open(transaction, nil, 0, &main)
    guard code == 0 else { throw environment.error(code, "open the list of tables") }
    return main
  }

  private func open(_ name: String, create: Bool) throws(StoreError) -> MDB_dbi {
    var handle: MDB_dbi = 0
    let code = mdb_dbi_open(transaction, name, create ? UInt32(MDB_CREATE) : 0, &handle)
    guard code == 0 else { throw environment.error(code, "open the table \(name)") }
    return handle
  }

  private func put(_ handle: MDB_dbi, _ key: String, _ value: String) throws(StoreError) {
    let code = Self.put(transaction, handle, key, Array(value.utf8))
    guard code == 0 else { throw environment.error(code, "write \(key)") }
  }

  private static func put(
    _ transaction: OpaquePointer, _ handle: MDB_dbi, _ key: String, _ value: [UInt8]
  ) -> Int32 {
    Array(key.utf8).withUnsafeBytes { key in
      value.withUnsafeBytes { value in
        var (key, value) = (MDB_val(key), MDB_val(value))
        return mdb_put(transaction, handle, &key, &value, 0)
      }
    }
  }

  private func get(_ handle: MDB_dbi, _ key: String) -> String? {
    Array(key.utf8).withUnsafeBytes { key in
      var (key, value) = (MDB_val(key), MDB_val())
      guard mdb_get(transaction, handle, &key, &value) == 0 else { return nil }
      return String(decoding: value.bytes, as: UTF8.self)
    }
  }

  /// Visits all records until `body` returns false, and returns what it returned last.
  @discardableResult
  private func each(
    _ handle: MDB_dbi, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
  ) throws(StoreError) -> Bool {
    var cursor: OpaquePointer?
    let code = mdb_cursor_open(transaction, handle, &cursor)
    guard code == 0, let cursor else { throw environment.error(code, "open a cursor") }
    defer { mdb_cursor_close(cursor) }
    var (key, value) = (MDB_val(), MDB_val())
    while true {
      let code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
      if code == MDB_NOTFOUND { return true }
      guard code == 0 else { throw environment.error(code, "read a table") }
      guard body(key.bytes, value.bytes) else { return false }
    }
  }

  private func corrupt(_ what: String) -> StoreError {
    StoreError(.corrupt, database: environment.database, message: what)
  }
}

extension MDB_val {
  /// Bytes to pass to the library, which does not change them.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  /// What the library lends.
  @inline(__always)
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: mv_data, count: mv_size) }
}
