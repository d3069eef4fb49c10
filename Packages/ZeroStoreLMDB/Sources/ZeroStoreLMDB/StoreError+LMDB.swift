import CZeroLMDB
import ZeroProtocol
import ZeroStoreCore

extension StoreError {
  /// The error for a result code of the library, which is an error code of the system if positive.
  init(lmdb code: Int32, database: String, doing: String) {
    if code > 0 {
      self.init(errno: code, database: database, doing: doing)
      return
    }
    let kind: Code
    let advice: String
    switch code {
    case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID, MDB_CURSOR_FULL, MDB_INCOMPATIBLE:
      kind = .corrupt
      advice = "close the store and open the database again, which checks it"
    case MDB_VERSION_MISMATCH:
      kind = .incompatible
      advice = "the file was written by another version of the library; use that one"
    case MDB_MAP_FULL, MDB_TXN_FULL, MDB_PAGE_FULL:
      kind = .full
      advice = "write less in one transaction"
    case MDB_READERS_FULL:
      kind = .busy
      advice = "end some reads and try again"
    case MDB_BAD_VALSIZE:
      kind = .tooLarge
      advice = "split the record"
    case MDB_PANIC:
      kind = .io
      advice = "an earlier write failed half-way; close the store and open the database again"
    default:
      kind = .io
      advice = "see the library's message"
    }
    self.init(
      kind, database: database,
      message: "cannot \(doing): \(String(cString: mdb_strerror(code))); \(advice)",
      underlyingCode: Int(code))
  }
}
