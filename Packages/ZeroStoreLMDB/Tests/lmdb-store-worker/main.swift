import CZeroLMDB
import ZeroContracts
import ZeroStoreLMDB

// Another program in a write of the same file: `lock-file PATH NAME`.
if CommandLine.arguments.dropFirst().first == "lock-file" {
  var environment: OpaquePointer?
  var transaction: OpaquePointer?
  mdb_env_create(&environment)
  let isLocked =
    mdb_env_open(environment, CommandLine.arguments[2], UInt32(MDB_NOSUBDIR), 0o600) == 0
    && mdb_txn_begin(environment, nil, 0, &transaction) == 0
  StoreWorker.say(isLocked ? "locked" : "failed")
  _ = readLine()
  mdb_txn_abort(transaction)
  mdb_env_close(environment)
} else {
  StoreWorker.run { folder in
    LMDBStoreProvider(
      directory: folder,
      options: .init(synchronization: folder.hasSuffix("/full") ? .full : .ordered))
  }
}
