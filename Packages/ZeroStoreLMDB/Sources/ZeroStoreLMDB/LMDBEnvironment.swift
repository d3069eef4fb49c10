import CZeroLMDB
import Synchronization
import ZeroProtocol
import ZeroStoreCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open LMDB environment.
///
/// Safe to share: the library's handle may be used from any thread. The map is replaced only while the
/// store's gate admits nobody but the writer, and the handle is closed after the last closure; the rest
/// is behind mutexes.
final class LMDBEnvironment: Sendable {
  let database: String
  let path: String

  private let handle: Handle
  /// Read transactions that were reset: renewing one is cheaper than beginning one.
  private let idleReaders = Mutex<[Handle]>([])
  /// The data file once more, to ask for its length: the position of the library's descriptor is its own.
  private let lengthDescriptor: Int32
  private let pageBytes: Int

  /// A pointer of the library's.
  struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  /// What the table of readers needs: 64 bytes for each of 512 readers, and the head.
  static let lockBytes = 36 << 10
  private static let maxReaders: UInt32 = 512
  private static let maxIdleReaders = 8
  private static let maxTables: MDB_dbi = 256
  private static let smallestMap = 1 << 24

  /// Opens or creates the file and clears readers that ended without saying so.
  /// - Parameters:
  ///   - mapBytes: address space to reserve; halved for as long as the system has not that much.
  ///   - flags: how commits are synchronized.
  init(path: String, database: String, mapBytes: Int, flags: Int32) throws(StoreError) {
    self.path = path
    self.database = database
    var size = mapBytes
    while true {
      var created: OpaquePointer?
      var code = mdb_env_create(&created)
      guard code == 0, let created else {
        throw StoreError(lmdb: code, database: database, doing: "make an environment")
      }
      mdb_env_set_mapsize(created, size)
      mdb_env_set_maxdbs(created, Self.maxTables)
      mdb_env_set_maxreaders(created, Self.maxReaders)
      code = mdb_env_open(created, path, UInt32(MDB_NOSUBDIR | MDB_NOTLS | flags), 0o600)
      if code == 0 {
        handle = Handle(pointer: created)
        break
      }
      mdb_env_close(created)
      guard code == ENOMEM, size > Self.smallestMap else {
        throw StoreError(lmdb: code, database: database, doing: "open the file \(path)")
      }
      size /= 2
    }
    lengthDescriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard lengthDescriptor >= 0 else {
      let code = errno
      mdb_env_close(handle.pointer)
      throw StoreError(errno: code, database: database, doing: "open the file \(path) to watch it")
    }
    var stat = MDB_stat()
    mdb_env_stat(handle.pointer, &stat)
    pageBytes = Int(stat.ms_psize)
    var cleared: Int32 = 0
    mdb_reader_check(handle.pointer, &cleared)
  }

  var maxKeyBytes: Int { Int(mdb_env_get_maxkeysize(handle.pointer)) }

  /// Bytes of the map that are used, freed pages among them, and that are left.
  func room() -> (used: Int, free: Int) {
    var info = MDB_envinfo()
    mdb_env_info(handle.pointer, &info)
    let used = (info.me_last_pgno + 1) * pageBytes
    return (used, info.me_mapsize - used)
  }

  /// The length of the open file, wherever it is by now.
  ///
  /// Seeking answers in half the time of `fstat`, which moreover makes the next write store a new time of
  /// change in the file.
  var fileBytes: Int { Int(lseek(lengthDescriptor, 0, SEEK_END)) }

  /// Leaves it to ``synchronize()`` to put commits on stable storage from now on.
  func deferSynchronization() throws(StoreError) {
    let code = mdb_env_set_flags(handle.pointer, UInt32(MDB_NOSYNC), 1)
    guard code == 0 else { throw error(code, "set how to synchronize") }
  }

  func beginWrite() throws(StoreError) -> OpaquePointer {
    var transaction: OpaquePointer?
    let code = mdb_txn_begin(handle.pointer, nil, 0, &transaction)
    guard code == 0, let transaction else { throw error(code, "begin a write") }
    return transaction
  }

  func beginRead() throws(StoreError) -> OpaquePointer {
    if let idle = idleReaders.withLock({ $0.popLast() }) {
      let code = mdb_txn_renew(idle.pointer)
      if code == 0 { return idle.pointer }
      mdb_txn_abort(idle.pointer)
    }
    var transaction: OpaquePointer?
    let code = mdb_txn_begin(handle.pointer, nil, UInt32(MDB_RDONLY), &transaction)
    guard code == 0, let transaction else { throw error(code, "begin a read") }
    return transaction
  }

  func endRead(_ transaction: OpaquePointer) {
    mdb_txn_reset(transaction)
    let idle = Handle(pointer: transaction)
    let isKept = idleReaders.withLock { readers in
      guard readers.count < Self.maxIdleReaders else { return false }
      readers.append(idle)
      return true
    }
    if !isKept { mdb_txn_abort(transaction) }
  }

  /// Doubles the map. No transaction may be open in this process.
  func grow() throws(StoreError) {
    var info = MDB_envinfo()
    mdb_env_info(handle.pointer, &info)
    let (doubled, overflow) = info.me_mapsize.multipliedReportingOverflow(by: 2)
    let code = overflow ? ENOMEM : mdb_env_set_mapsize(handle.pointer, doubled)
    guard code == 0 else { throw error(code, "grow the map to \(doubled) bytes") }
  }

  func synchronize() throws(StoreError) {
    let code = mdb_env_sync(handle.pointer, 1)
    guard code == 0 else { throw error(code, "synchronize") }
  }

  /// Closes the file. Nothing may be open in it, and it is called once.
  func close() {
    let readers = idleReaders.withLock { readers in
      defer { readers = [] }
      return readers
    }
    for reader in readers { mdb_txn_abort(reader.pointer) }
    mdb_env_sync(handle.pointer, 1)
    mdb_env_close(handle.pointer)
    closeFile(lengthDescriptor)
  }

  func error(_ code: Int32, _ doing: String) -> StoreError {
    StoreError(lmdb: code, database: database, doing: "\(doing) in \(path)")
  }
}

/// The system's `close`, by a name that no method hides.
private func closeFile(_ descriptor: Int32) { close(descriptor) }
