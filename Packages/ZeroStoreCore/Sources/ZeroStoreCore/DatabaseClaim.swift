import Synchronization
public import ZeroProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// This process's hold on one database: at most one exists per database on the machine.
///
/// The hold is a lock on the owner file, which the operating system frees when the process ends, however
/// it ends. The owner file also remembers how the data was left, which tells the next open how much to
/// check.
public final class DatabaseClaim: Sendable {
  /// How far the data file can be trusted as it lies there.
  public enum Trust: Sendable, Equatable {
    /// There is no data: start empty.
    case fresh
    /// As it was when it was last closed.
    case clean
    /// Its last process ended without closing it.
    case unclean
    /// It was damaged, or changed by something else; the text says what was seen.
    case suspicious(String)
  }

  static let ownerSuffix = ".owner"

  /// The database's name.
  public let name: String
  /// Path of the data file, without symbolic links.
  public let dataPath: String

  private let companions: [String]
  private let descriptor: Mutex<Int32?>
  private let found: OwnerRecord?

  init(
    name: String, dataPath: String, companions: [String], patience: LockPatience
  ) throws(StoreError) {
    self.name = name
    self.dataPath = dataPath
    self.companions = companions
    guard openHere.withLock({ $0.insert(dataPath).inserted }) else {
      throw StoreError(
        .lockedInProcess, database: name,
        message: "this process (pid \(getpid())) already has it open; use that store or close it")
    }
    do {
      let descriptor = try Self.lock(dataPath + Self.ownerSuffix, name, patience)
      let record = Self.readOwner(descriptor: descriptor)
      found = record?.name == name ? record?.record : nil
      self.descriptor = Mutex(descriptor)
    } catch {
      openHere.withLock { _ = $0.remove(dataPath) }
      throw error
    }
  }

  deinit { release() }

  /// Looks at the data file before it is opened.
  /// - Throws: `io` if something that is not a file is in its place, `permission`.
  public func examine() throws(StoreError) -> Trust {
    let (status, code) = FileSystem.status(dataPath)
    guard let status else {
      if code == ENOENT { return .fresh }
      throw StoreError(errno: code, database: name, doing: "look at \(dataPath)")
    }
    guard !status.isDirectory else {
      throw StoreError(
        .io, database: name,
        message: "a folder is in the place of the file \(dataPath); move it away",
        underlyingCode: Int(EISDIR))
    }
    switch found?.condition {
    case nil:
      return .suspicious("its owner file is missing or damaged")
    case .new: return .fresh
    case .open where status.size == 0: return .suspicious("it is empty")
    case .open: return .unclean
    case .suspect: return .suspicious("damage was found while it was last open")
    case .clean(let size, let changed):
      if status.size != size {
        return .suspicious("it had \(size) bytes when it was closed and has \(status.size) now")
      }
      return status.changed == changed
        ? .clean : .suspicious("something changed it while it was closed")
    }
  }

  /// Removes what a creation that never finished left, and makes an empty data file that only this
  /// user can read.
  public func create() throws(StoreError) {
    try record(.new)
    for suffix in companions {
      guard unlink(dataPath + suffix) == 0 || errno == ENOENT else {
        throw StoreError(errno: errno, database: name, doing: "replace \(dataPath + suffix)")
      }
    }
    let file = open(dataPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw StoreError(errno: errno, database: name, doing: "create the file \(dataPath)")
    }
    close(file)
  }

  /// Notes that the data is complete and open. What is found from now on, if the process ends, is
  /// `unclean`.
  /// - Parameter durably: whether the note and the file's place in the folder are put on stable storage.
  ///   It is needed when the data was just created, as a power loss must not make the next open start
  ///   empty, and when the next open could not tell otherwise that a power loss is why the data changed.
  public func markOpen(durably: Bool = false) throws(StoreError) {
    try record(.open)
    if durably { try flush([Self.ownerSuffix]) }
  }

  /// Notes that damage was found, so that the next open checks everything. Best effort: it is called
  /// where an error is about to be reported anyway.
  public func markSuspect() { try? record(.suspect) }

  /// Notes that the data was closed in order, unless damage was noted.
  public func markClean() {
    guard let status = FileSystem.status(dataPath).status else { return }
    let isSuspect = descriptor.withLock { descriptor in
      descriptor.flatMap { Self.readOwner(descriptor: $0) }?.record.condition == .suspect
    }
    if isSuspect { return }
    try? record(.clean(size: status.size, changed: status.changed), holder: 0)
  }

  /// Moves the damaged files aside under a dated name and returns the error to throw.
  public func setAside(reason: String) -> StoreError {
    let stamp = FileSystem.timestamp()
    var aside = "\(dataPath).corrupt-\(stamp)"
    var number = 1
    while FileSystem.status(aside).errno != ENOENT, number < 1000 {
      number += 1
      aside = "\(dataPath).corrupt-\(stamp)-\(number)"
    }
    guard rename(dataPath, aside) == 0 else {
      return StoreError(
        .corrupt, database: name,
        message: "\(dataPath) is damaged (\(reason)) and cannot be moved: "
          + "\(String(cString: strerror(errno))); move it away",
        underlyingCode: Int(errno))
    }
    for suffix in companions.dropFirst() { rename(dataPath + suffix, aside + suffix) }
    try? record(.new)
    return StoreError(
      .corrupt, database: name,
      message: "\(dataPath) is damaged (\(reason)) and was set aside as \(aside); "
        + "open the database again to start empty",
      setAsidePath: aside)
  }

  /// The error as it is, or `full` where a library reports a short write as a general failure: when a
  /// file is at the process's limit or the file system has nothing left.
  public func explained(_ error: StoreError) -> StoreError {
    guard error.code == .io else { return error }
    let isOutOfSpace = companions.contains { suffix in
      guard let status = FileSystem.status(dataPath + suffix).status else { return false }
      return FileSystem.isOutOfSpace(at: dataPath + suffix, size: UInt64(max(0, status.size)))
    }
    guard isOutOfSpace else { return error }
    return StoreError(
      .full, database: error.database, message: "\(error.message); there is no space left",
      underlyingCode: error.underlyingCode)
  }

  /// Puts the data file, its companions with these suffixes, and the folder on stable storage.
  /// - Throws: `full`, `io`.
  public func flush(_ suffixes: [String]) throws(StoreError) {
    let folder = dataPath.lastIndex(of: "/").map { String(dataPath[..<$0]) }
    for path in suffixes.map({ dataPath + $0 }) + [folder].compactMap({ $0 }) {
      let code = FileSystem.synchronize(path)
      guard code == 0 || code == ENOENT else {
        throw StoreError(errno: code, database: name, doing: "write \(path) to stable storage")
      }
    }
  }

  /// Makes the data file or a companion at least `byteCount` long, with zeros that have blocks on disk:
  /// a store into a hole of a mapped file ends the process when the disk is full, and a write into one
  /// takes longer to synchronize. Nobody else may be writing to the end of the file.
  /// - Parameters:
  ///   - suffix: of the companion; empty for the data file.
  ///   - creates: whether a file that is missing is made; if not, that is an error.
  /// - Throws: `full`, `permission`, `io`.
  public func reserve(
    _ suffix: String, byteCount: Int, creates: Bool = false
  ) throws(StoreError) {
    let path = dataPath + suffix
    let code = FileSystem.extend(path, to: byteCount, creates: creates)
    guard code == 0 else { throw StoreError(errno: code, database: name, doing: "extend \(path)") }
  }

  /// Frees the database. Doing it twice does nothing.
  public func release() {
    let wasHeld = descriptor.withLock { descriptor -> Bool in
      guard let held = descriptor else { return false }
      // Closing alone would leave the lock to a copy of the descriptor, which a program that this
      // process is just starting has until it runs.
      flock(held, LOCK_UN)
      close(held)
      descriptor = nil
      return true
    }
    if wasHeld { openHere.withLock { _ = $0.remove(dataPath) } }
  }

  // MARK: -

  /// Deletes every file of the database, the owner file last.
  func deleteAll() throws(StoreError) {
    guard let slash = dataPath.lastIndex(of: "/") else { return }
    let folder = String(dataPath[..<slash])
    let file = String(dataPath[dataPath.index(after: slash)...])
    var doomed = companions.map { file + $0 }
    doomed += FileSystem.entries(folder).names.filter { $0.hasPrefix(file + ".corrupt-") }
    for entry in doomed + [file + Self.ownerSuffix] {
      let path = folder + "/" + entry
      guard unlink(path) == 0 || errno == ENOENT else {
        throw StoreError(errno: errno, database: name, doing: "delete \(path)")
      }
    }
  }

  private func record(
    _ condition: OwnerRecord.Condition, holder: Int32 = getpid()
  ) throws(StoreError) {
    let header = OwnerRecord(holder: holder, condition: condition).header
    let name = Array(name.utf8)
    let code: Int32 = descriptor.withLock { descriptor in
      guard let descriptor else { return EBADF }
      let written = pwrite(descriptor, header, header.count, 0)
      guard written == header.count else { return written < 0 ? errno : ENOSPC }
      if Self.readOwner(descriptor: descriptor)?.name == self.name { return 0 }
      let appended = pwrite(descriptor, name, name.count, off_t(header.count))
      guard appended == name.count else { return appended < 0 ? errno : ENOSPC }
      return ftruncate(descriptor, off_t(header.count + name.count)) == 0 ? 0 : errno
    }
    guard code == 0 else {
      throw StoreError(
        errno: code, database: self.name, doing: "write \(dataPath + Self.ownerSuffix)")
    }
  }

  static func readOwner(_ path: String) -> (record: OwnerRecord, name: String)? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return readOwner(descriptor: descriptor)
  }

  private static func readOwner(descriptor: Int32) -> (record: OwnerRecord, name: String)? {
    guard let size = FileSystem.status(descriptor: descriptor)?.size, size < 1 << 20 else {
      return nil
    }
    let bytes = FileSystem.read(descriptor: descriptor, limit: Int(size))
    guard let record = OwnerRecord(bytes) else { return nil }
    return (record, String(decoding: bytes.dropFirst(OwnerRecord.headerBytes), as: UTF8.self))
  }

  /// Opens and locks the owner file, and makes sure that it is still the one at `path`.
  private static func lock(
    _ path: String, _ name: String, _ patience: LockPatience
  ) throws(StoreError) -> Int32 {
    var attempt = 0
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw StoreError(errno: errno, database: name, doing: "open the file \(path)")
      }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        let mine = FileSystem.status(descriptor: descriptor)
        let current = FileSystem.status(path).status
        if mine?.identity == current?.identity { return descriptor }
        // Dropped by another process between open and lock.
        close(descriptor)
        continue
      }
      let code = errno
      let holder = readOwner(descriptor: descriptor)?.record.holder
      close(descriptor)
      if code == EINTR { continue }
      guard code == EWOULDBLOCK else {
        throw StoreError(errno: code, database: name, doing: "lock the file \(path)")
      }
      attempt += 1
      guard patience.pause(before: attempt) else {
        throw StoreError(
          .lockedByAnotherProcess, database: name,
          message: "process \(holder.map { "\($0)" } ?? "unknown") has it open; "
            + "close it there first",
          underlyingCode: Int(code))
      }
    }
  }
}

/// Data paths claimed by this process. A lock of the operating system would not tell its own process
/// from another.
private let openHere = Mutex<Set<String>>([])
