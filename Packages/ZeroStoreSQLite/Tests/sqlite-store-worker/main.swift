import CZeroSQLite
import ZeroContracts
import ZeroStoreSQLite

// Another program in a write of the same file: `lock-file PATH NAME`.
if CommandLine.arguments.dropFirst().first == "lock-file" {
  var database: OpaquePointer?
  let isLocked =
    sqlite3_open(CommandLine.arguments[2], &database) == SQLITE_OK
    && sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK
  StoreWorker.say(isLocked ? "locked" : "failed")
  _ = readLine()
  sqlite3_exec(database, "ROLLBACK", nil, nil, nil)
  sqlite3_close(database)
  StoreWorker.say("free")
} else {
  StoreWorker.run { folder in
    let options = SQLiteStoreProvider.Options(
      synchronous: folder.hasSuffix("/full") ? .full : .normal)
    return SQLiteStoreProvider(directory: folder, options: options)
  }
}
