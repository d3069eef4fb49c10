import CZeroLMDB
import ZeroProtocol
import ZeroStoreCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a closure of an LMDB store gets: a snapshot, or the one write transaction.
final class LMDBTransaction: StoreTransaction {
  private let context: LMDBContext
  private let isWritable: Bool
  /// nil when the map has room for anything but a transaction of extraordinary size.
  private var log: ChangeLog?
  private var appendRun = AppendRun()
  /// What the records come to after the changes so far; nil if commits are not sealed.
  private var digest: StateDigest?
  private var hasChanges = false
  /// nil once the closure has ended, or after a failure.
  private var transaction: OpaquePointer?
  private var failure: StoreError?
  private var isOpen = true
  private var lending = 0

  init(
    _ transaction: OpaquePointer, _ context: LMDBContext, isWritable: Bool, log: ChangeLog? = nil
  ) {
    self.transaction = transaction
    self.context = context
    self.isWritable = isWritable
    self.log = log
    if isWritable { digest = context.digest }
  }

  /// Makes every later use throw `closed`, and hands back a read transaction.
  func end() -> OpaquePointer? {
    defer { transaction = nil }
    isOpen = false
    return transaction
  }

  /// Commits what the closure wrote; the transaction is over, whatever happens.
  func commit() throws(StoreError) {
    while true {
      try seal()
      guard let transaction, failure == nil else { throw failure ?? closedError() }
      self.transaction = nil
      appendRun.forget()
      let code = mdb_txn_commit(transaction)
      if code == 0 { break }
      guard code == MDB_MAP_FULL else { throw fail(code, "commit") }
      try replayInLargerMap()
    }
    guard let digest, hasChanges else { return }
    context.digest = digest
    try context.synchronize()
  }

  /// Forgets what the closure wrote.
  func abort() {
    appendRun.forget()
    if let transaction { mdb_txn_abort(transaction) }
    transaction = nil
  }

  func get<Result>(
    _ table: StoreTable, _ key: RawSpan, _ body: (RawSpan?) throws -> Result
  ) throws -> Result {
    let (transaction, ordinal) = try enter(table)
    return try key.withUnsafeBytes { keyBytes in
      guard !keyBytes.isEmpty, keyBytes.count <= context.limits.maxKeyBytes else {
        return try body(nil)
      }
      var (key, stored) = (MDB_val(keyBytes), MDB_val())
      let code = mdb_get(transaction, context.handles[ordinal], &key, &stored)
      if code == MDB_NOTFOUND { return try body(nil) }
      guard code == 0 else { throw fail(code, "read") }
      guard let value = RecordChecksum.value(in: stored.bytes, key: keyBytes) else {
        throw damaged()
      }
      lending += 1
      defer { lending -= 1 }
      return try body(value.bytes)
    }
  }

  func scan(
    _ table: StoreTable, prefix: RawSpan, after: RawSpan?,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    let (transaction, ordinal) = try enter(table)
    let range = KeyRange(prefix: prefix, after: after)
    var opened: OpaquePointer?
    let code = mdb_cursor_open(transaction, context.handles[ordinal], &opened)
    guard code == 0, let cursor = opened else { throw fail(code, "open a cursor") }
    lending += 1
    defer {
      lending -= 1
      mdb_cursor_close(cursor)
    }
    let upper = range.upper
    var (key, stored) = (MDB_val(), MDB_val())
    var result = Self.seek(cursor, range.lower, &key, &stored)
    while result == 0 {
      if let upper, Self.isAtOrAbove(key, upper) { return }
      guard let value = RecordChecksum.value(in: stored.bytes, key: key.bytes) else {
        throw damaged()
      }
      guard try body(key.bytes.bytes, value.bytes) else { return }
      result = mdb_cursor_get(cursor, &key, &stored, MDB_NEXT)
    }
    guard result == MDB_NOTFOUND else { throw fail(result, "scan") }
  }

  func put(_ table: StoreTable, _ key: RawSpan, _ value: RawSpan) throws(StoreError) {
    let ordinal = try enterChange(table)
    try context.limits.check(keyBytes: key.byteCount, valueBytes: value.byteCount)
    try key.withUnsafeBytes { key throws(StoreError) in
      try value.withUnsafeBytes { value throws(StoreError) in
        try change("put") { put($0, ordinal, key, value) }
        log?.put(ordinal, key, value)
      }
    }
  }

  func delete(_ table: StoreTable, _ key: RawSpan) throws(StoreError) {
    let ordinal = try enterChange(table)
    try key.withUnsafeBytes { key throws(StoreError) in
      guard !key.isEmpty, key.count <= context.limits.maxKeyBytes else { return }
      try change("delete") { delete($0, ordinal, key) }
      log?.delete(ordinal, key)
    }
  }

  func deletePrefix(_ table: StoreTable, _ prefix: RawSpan) throws(StoreError) {
    let ordinal = try enterChange(table)
    try prefix.withUnsafeBytes { prefix throws(StoreError) in
      try change("delete a prefix") { deletePrefix($0, ordinal, prefix) }
      log?.deletePrefix(ordinal, prefix)
    }
  }

  // MARK: -

  private func put(
    _ transaction: OpaquePointer, _ ordinal: Int, _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer
  ) -> Int32 {
    let handle = context.handles[ordinal]
    var keyValue = MDB_val(key)
    var room = MDB_val(mv_size: value.count + RecordChecksum.byteCount, mv_data: nil)
    var code = appendRun.append(transaction, ordinal, handle, &keyValue, &room)
    if code == MDB_KEYEXIST {
      code = forget(transaction, ordinal, key)
      if code == 0 { code = mdb_put(transaction, handle, &keyValue, &room, UInt32(MDB_RESERVE)) }
    }
    guard code == 0, let target = room.mv_data else { return code }
    let checksum = RecordChecksum.store(value, key: key, to: target)
    digest?.add(checksum, factor: context.digestFactors[ordinal])
    hasChanges = true
    return 0
  }

  /// Takes a record that is about to be replaced or deleted out of the digest.
  @inline(__always)
  private func forget(
    _ transaction: OpaquePointer, _ ordinal: Int, _ key: UnsafeRawBufferPointer
  ) -> Int32 {
    if digest == nil { return 0 }
    var (key, stored) = (MDB_val(key), MDB_val())
    let code = mdb_get(transaction, context.handles[ordinal], &key, &stored)
    if code == 0 { forget(stored, ordinal) }
    return code == MDB_NOTFOUND ? 0 : code
  }

  @inline(__always)
  private func forget(_ stored: MDB_val, _ ordinal: Int) {
    guard let checksum = RecordChecksum.stored(in: stored.bytes) else { return }
    digest?.remove(checksum, factor: context.digestFactors[ordinal])
  }

  /// Notes in the transaction what the records come to.
  private func seal() throws(StoreError) {
    guard let digest, hasChanges else { return }
    // The digest is another one if the changes have to be made again.
    try change("seal") { LMDBLayout.seal($0, in: context.notes, self.digest ?? digest) }
  }

  private func delete(
    _ transaction: OpaquePointer, _ ordinal: Int, _ key: UnsafeRawBufferPointer
  ) -> Int32 {
    appendRun.end()
    var code = forget(transaction, ordinal, key)
    guard code == 0 else { return code }
    var key = MDB_val(key)
    code = mdb_del(transaction, context.handles[ordinal], &key, nil)
    if code == 0 { hasChanges = true }
    return code == MDB_NOTFOUND ? 0 : code
  }

  private func deletePrefix(
    _ transaction: OpaquePointer, _ ordinal: Int, _ prefix: UnsafeRawBufferPointer
  ) -> Int32 {
    appendRun.end()
    if prefix.isEmpty { return deleteAll(transaction, ordinal) }
    let range = KeyRange(prefix: prefix.bytes)
    var opened: OpaquePointer?
    var code = mdb_cursor_open(transaction, context.handles[ordinal], &opened)
    guard code == 0, let cursor = opened else { return code }
    defer { mdb_cursor_close(cursor) }
    var (key, stored) = (MDB_val(), MDB_val())
    code = Self.seek(cursor, range.lower, &key, &stored)
    while code == 0 {
      if let upper = range.upper, Self.isAtOrAbove(key, upper) { return 0 }
      forget(stored, ordinal)
      code = mdb_cursor_del(cursor, 0)
      guard code == 0 else { return code }
      hasChanges = true
      code = mdb_cursor_get(cursor, &key, &stored, MDB_NEXT)
    }
    return code == MDB_NOTFOUND ? 0 : code
  }

  private func deleteAll(_ transaction: OpaquePointer, _ ordinal: Int) -> Int32 {
    hasChanges = true
    guard digest != nil else { return mdb_drop(transaction, context.handles[ordinal], 0) }
    var opened: OpaquePointer?
    var code = mdb_cursor_open(transaction, context.handles[ordinal], &opened)
    guard code == 0, let cursor = opened else { return code }
    defer { mdb_cursor_close(cursor) }
    var (key, stored) = (MDB_val(), MDB_val())
    code = mdb_cursor_get(cursor, &key, &stored, MDB_FIRST)
    while code == 0 {
      forget(stored, ordinal)
      code = mdb_cursor_get(cursor, &key, &stored, MDB_NEXT)
    }
    return code == MDB_NOTFOUND ? mdb_drop(transaction, context.handles[ordinal], 0) : code
  }

  /// Makes a change, in a larger map if this one is full.
  private func change(
    _ doing: String, _ make: (OpaquePointer) -> Int32
  ) throws(StoreError) {
    while let transaction {
      let code = make(transaction)
      if code == 0 { return }
      guard code == MDB_MAP_FULL else { throw fail(code, doing) }
      mdb_txn_abort(transaction)
      appendRun.forget()
      self.transaction = nil
      try replayInLargerMap()
    }
    throw failure ?? closedError()
  }

  /// Grows the map until the changes made so far fit, and leaves a transaction with them.
  private func replayInLargerMap() throws(StoreError) {
    guard let log else {
      throw remember(context.environment.error(MDB_MAP_FULL, "write a transaction of this size"))
    }
    while transaction == nil {
      do throws(StoreError) {
        guard try context.grow() else {
          throw StoreError(
            .busy, database: context.environment.database,
            message: "the map of \(context.environment.path) has to grow and a read is open; "
              + "end it and write again",
            underlyingCode: Int(MDB_MAP_FULL))
        }
        let fresh = try context.environment.beginWrite()
        digest = context.digest
        let code = replay(log, in: fresh)
        if code == 0 {
          transaction = fresh
        } else {
          mdb_txn_abort(fresh)
          appendRun.forget()
          guard code == MDB_MAP_FULL else { throw context.environment.error(code, "write again") }
        }
      } catch { throw remember(error) }
    }
  }

  private func replay(_ log: ChangeLog, in transaction: OpaquePointer) -> Int32 {
    for (table, change) in log.changes {
      let code =
        switch change {
        case .put(let key, let value):
          log.withBytes(key) { key in
            log.withBytes(value) { put(transaction, table, key, $0) }
          }
        case .delete(let key): log.withBytes(key) { delete(transaction, table, $0) }
        case .deletePrefix(let prefix):
          log.withBytes(prefix) { deletePrefix(transaction, table, $0) }
        }
      if code != 0 { return code }
    }
    return 0
  }

  @inline(__always)
  private static func seek(
    _ cursor: OpaquePointer, _ lower: [UInt8], _ key: inout MDB_val, _ stored: inout MDB_val
  ) -> Int32 {
    if lower.isEmpty { return mdb_cursor_get(cursor, &key, &stored, MDB_FIRST) }
    return lower.withUnsafeBytes { lower in
      key = MDB_val(lower)
      return mdb_cursor_get(cursor, &key, &stored, MDB_SET_RANGE)
    }
  }

  @inline(__always)
  private static func isAtOrAbove(_ key: MDB_val, _ bound: [UInt8]) -> Bool {
    bound.withUnsafeBytes { bound in
      guard let keyStart = key.mv_data, let boundStart = bound.baseAddress else { return false }
      let order = memcmp(keyStart, boundStart, min(key.mv_size, bound.count))
      return order == 0 ? key.mv_size >= bound.count : order > 0
    }
  }

  @inline(__always)
  private func enter(_ table: StoreTable) throws(StoreError) -> (OpaquePointer, Int) {
    guard isOpen, let transaction, failure == nil else { throw failure ?? closedError() }
    return (transaction, try context.tables.ordinal(table))
  }

  @inline(__always)
  private func enterChange(_ table: StoreTable) throws(StoreError) -> Int {
    let (_, ordinal) = try enter(table)
    guard isWritable, lending == 0 else {
      throw StoreError(
        .misuse, database: context.environment.database,
        message: lending > 0
          ? "a change was made while bytes were on loan; finish the scan first"
          : "a change was made in a read; use a write")
    }
    return ordinal
  }

  private func closedError() -> StoreError {
    StoreError(
      .closed, database: context.environment.database,
      message: "a snapshot was used after its closure ended; use it inside only")
  }

  private func damaged() -> StoreError {
    context.claim.markSuspect()
    return StoreError(
      .corrupt, database: context.environment.database,
      message: "a record has another checksum than when it was written; "
        + "close the store and open the database again, which checks it")
  }

  /// The error for a failed call, after which a write can only fail. The library's transaction stays
  /// until the closure ends: its end frees the cursors of the scans that are running.
  private func fail(_ code: Int32, _ doing: String) -> StoreError {
    let error = context.environment.error(code, doing)
    if error.code == .corrupt { context.claim.markSuspect() }
    guard isWritable, code != MDB_BAD_VALSIZE else { return error }
    return remember(context.claim.explained(error))
  }

  private func remember(_ error: StoreError) -> StoreError {
    failure = error
    return error
  }
}
