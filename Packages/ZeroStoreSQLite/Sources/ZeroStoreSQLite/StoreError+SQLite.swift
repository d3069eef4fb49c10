import CZeroSQLite
import ZeroProtocol
import ZeroStoreCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension StoreError {
  /// The error for an extended result code.
  init(sqlite code: Int32, of handle: OpaquePointer?, database: String, doing: String) {
    let system = handle.map { sqlite3_system_errno($0) } ?? 0
    let text =
      handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    let kind: Code
    let advice: String
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED:
      kind = .busy
      advice = "another program has locked the file; try again or end it"
    case SQLITE_FULL:
      kind = .full
      advice = "free some space"
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      kind = .corrupt
      advice = "close the store and open the database again, which checks it"
    case SQLITE_TOOBIG:
      kind = .tooLarge
      advice = "split the value"
    case SQLITE_READONLY where code == Self.movedCode:
      kind = .vanished
      advice = "close the store and open the database again"
    case SQLITE_READONLY:
      kind = .readOnly
      advice = "make the file and its folder writable"
    case SQLITE_PERM, SQLITE_AUTH:
      kind = .permission
      advice = "give this user access to the file"
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM:
      if system != 0 {
        let cause = StoreError(errno: system, database: database, doing: doing)
        self.init(
          cause.code, database: database, message: "\(cause.message) (\(text))",
          underlyingCode: Int(code))
        return
      }
      kind = .io
      advice = "see the library's message"
    default:
      kind = .io
      advice = "see the library's message"
    }
    self.init(
      kind, database: database, message: "cannot \(doing): \(text); \(advice)",
      underlyingCode: Int(code))
  }

  /// `SQLITE_READONLY_DBMOVED`, a macro that is not imported.
  private static let movedCode = SQLITE_READONLY | 4 << 8
}
