import CZeroLMDB

/// Finds out that a transaction puts records in the order of their keys behind all others, as a client does
/// that loads rows, and keeps a cursor at the end of the table for them: then no put searches the tree.
struct AppendRun {
  /// The table of the last puts.
  private var table = -1
  /// How many puts in a row went to it.
  private var putCount = 0
  private var cursor: OpaquePointer?
  /// A key that was not the last one ends it for the whole transaction.
  private var isOver = false

  /// After so many puts it is worth a try, which a transaction with other keys makes in vain.
  private static let tryAfter = 16

  /// Puts a record behind all others of the table, with room for its value, or returns `MDB_KEYEXIST` if
  /// that is not its place or too early to tell. Then nothing has happened.
  @inline(__always)
  mutating func append(
    _ transaction: OpaquePointer, _ table: Int, _ handle: MDB_dbi, _ key: inout MDB_val,
    _ room: inout MDB_val
  ) -> Int32 {
    if table != self.table { start(table) }
    putCount &+= 1
    guard putCount > Self.tryAfter, !isOver else { return MDB_KEYEXIST }
    return append(transaction, handle, &key, &room)
  }

  /// To be called before the table is changed in any other way.
  mutating func end() {
    if let cursor { mdb_cursor_close(cursor) }
    forget()
  }

  /// To be called when the library's transaction has ended, which frees its cursors.
  mutating func forget() { self = AppendRun() }

  // MARK: -

  private mutating func start(_ table: Int) {
    let wasOver = isOver
    end()
    isOver = wasOver
    self.table = table
  }

  private mutating func append(
    _ transaction: OpaquePointer, _ handle: MDB_dbi, _ key: inout MDB_val, _ room: inout MDB_val
  ) -> Int32 {
    if cursor == nil, mdb_cursor_open(transaction, handle, &cursor) != 0 { return MDB_KEYEXIST }
    let code = mdb_cursor_put(cursor, &key, &room, UInt32(MDB_APPEND | MDB_RESERVE))
    if code == MDB_KEYEXIST {
      end()
      isOver = true
    }
    return code
  }
}
