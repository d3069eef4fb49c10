import CZeroFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The few calls of the operating system that the stores make themselves.
enum FileSystem {
  /// What `stat` says about a path.
  struct Status: Equatable {
    var isDirectory: Bool
    var size: Int64
    /// Time of the last change of the content, in nanoseconds since 1970.
    var changed: Int64
    var identity: Identity
  }

  /// What tells a file from another one that takes its path.
  struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64
  }

  /// nil and the error code if `path` cannot be looked at.
  static func status(_ path: String) -> (status: Status?, errno: Int32) {
    var info = stat()
    guard stat(path, &info) == 0 else { return (nil, errno) }
    return (Status(info), 0)
  }

  /// What tells the file at `path` from others, without the cost that looking at a file's times has for
  /// its next synchronization; nil if it cannot be looked at.
  static func identity(_ path: String) -> Identity? {
    var (device, inode) = (UInt64(0), UInt64(0))
    guard czero_file_identity(path, &device, &inode) == 0 else { return nil }
    return Identity(device: device, inode: inode)
  }

  static func status(descriptor: Int32) -> Status? {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return nil }
    return Status(info)
  }

  /// Creates `path` and what is missing above it, for this user only. Returns 0 or an error code.
  static func createDirectory(_ path: String) -> Int32 {
    if mkdir(path, 0o700) == 0 { return 0 }
    let code = errno
    if code == EEXIST {
      guard let status = status(path).status else { return errno }
      return status.isDirectory ? 0 : ENOTDIR
    }
    guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      return code
    }
    let result = createDirectory(String(path[..<slash]))
    guard result == 0 else { return result }
    return mkdir(path, 0o700) == 0 || errno == EEXIST ? 0 : errno
  }

  /// The path without symbolic links, or as it is if it cannot be resolved.
  static func canonical(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Names in a folder without `.` and `..`, or the error code.
  static func entries(_ path: String) -> (names: [String], errno: Int32) {
    guard let folder = opendir(path) else { return ([], errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(
          to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)
        ) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return (names, 0)
  }

  /// Puts a file or folder on stable storage. Returns 0 or an error code.
  static func synchronize(_ path: String) -> Int32 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    #endif
    return fsync(descriptor) == 0 ? 0 : errno
  }

  /// Writes zeros to the end of a file, if need be created for this user only, until it has
  /// `byteCount` bytes. Returns 0 or an error code.
  static func extend(_ path: String, to byteCount: Int, creates: Bool) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | (creates ? O_CREAT : 0), 0o600)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    guard let status = status(descriptor: descriptor) else { return errno }
    var size = Int(status.size)
    let zeros = [UInt8](repeating: 0, count: max(0, byteCount - size))
    while size < byteCount {
      let written = pwrite(descriptor, zeros, byteCount - size, off_t(size))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return written < 0 ? errno : ENOSPC }
      size += written
    }
    return 0
  }

  /// Whether the file system is full but for a rest, or a file of `size` bytes is at the process's
  /// limit.
  static func isOutOfSpace(at path: String, size: UInt64) -> Bool {
    var limit = rlimit()
    #if canImport(Glibc)
      let hasLimit = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
    #else
      let hasLimit = getrlimit(RLIMIT_FSIZE, &limit) == 0
    #endif
    if hasLimit, size >= UInt64(limit.rlim_cur) { return true }
    var info = statvfs()
    guard statvfs(path, &info) == 0 else { return false }
    return isNearlyFull(blocks: UInt64(info.f_bavail), blockBytes: UInt64(info.f_frsize))
  }

  /// Whether less than 1 MiB is left. Some network file systems say that they have endless blocks.
  static func isNearlyFull(blocks: UInt64, blockBytes: UInt64) -> Bool {
    let (bytes, overflow) = blocks.multipliedReportingOverflow(by: blockBytes)
    return !overflow && bytes < 1 << 20
  }

  /// The whole content of a file, up to `limit` bytes.
  static func read(descriptor: Int32, limit: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, limit, 0) }
    return Array(bytes.prefix(max(0, count)))
  }

  /// A clock for short spans, which goes forward only.
  static func monotonicNanoseconds() -> UInt64 {
    #if canImport(Darwin)
      return clock_gettime_nsec_np(CLOCK_UPTIME_RAW)
    #else
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
        &+ UInt64(truncatingIfNeeded: time.tv_nsec)
    #endif
  }

  /// The current time as `20261130T084937Z`.
  static func timestamp() -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 24)
    strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension FileSystem.Status {
  fileprivate init(_ info: stat) {
    #if canImport(Darwin)
      let time = info.st_mtimespec
    #else
      let time = info.st_mtim
    #endif
    self.init(
      isDirectory: info.st_mode & S_IFMT == S_IFDIR, size: Int64(info.st_size),
      changed: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec),
      identity: FileSystem.Identity(
        device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(info.st_ino)))
  }
}
