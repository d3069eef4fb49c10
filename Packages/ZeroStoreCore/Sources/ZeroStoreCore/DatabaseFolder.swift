public import ZeroProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The folder in which a file backend keeps its databases, and the names of their files.
///
/// A database's files begin with a hash of its name and the layout version. Beside the data lies an
/// owner file (`.owner`): whoever holds its lock has the database, and the lock goes with the process.
public struct DatabaseFolder: Sendable {
  /// Where the files are.
  public let path: String
  /// Extension of the data file, as in `sqlite`.
  public let kind: String
  /// Version of the layout inside the files.
  public let layout: Int
  /// What a database's files add to the data file's name, with `""` for the data file first.
  public let companions: [String]

  /// - Parameters:
  ///   - path: created with what is above it, readable for this user only, when it is first needed.
  ///   - kind: one per backend, so that backends can share a folder.
  public init(path: String, kind: String, layout: Int, companions: [String]) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.kind = kind
    self.layout = layout
    self.companions = companions
  }

  /// The usual folder for an app's data: `$XDG_DATA_HOME/zero` or `~/.local/share/zero`, on Apple
  /// platforms `~/Library/Application Support/zero`; without a home, `zero` below the current folder.
  public static var standardPath: String {
    func variable(_ name: String) -> String? {
      guard let value = getenv(name), value.pointee != 0 else { return nil }
      return String(cString: value)
    }
    #if canImport(Darwin)
      return variable("HOME").map { $0 + "/Library/Application Support/zero" } ?? "zero"
    #else
      if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/zero" }
      return variable("HOME").map { $0 + "/.local/share/zero" } ?? "zero"
    #endif
  }

  /// Path of the data file of the database `name`.
  public func dataPath(_ name: String) -> String { path + "/" + fileName(name) }

  /// Takes hold of the database `name` for this process, creating the folder if need be.
  /// - Throws: `misuse` for an empty name, `lockedInProcess`, `lockedByAnotherProcess` after
  ///   `patience`, `readOnly`, `permission`, `full`, `io`.
  public func claim(_ name: String, patience: LockPatience) throws(StoreError) -> DatabaseClaim {
    guard !name.isEmpty else {
      throw StoreError(.misuse, message: "a database needs a name; give it one")
    }
    let code = FileSystem.createDirectory(path)
    guard code == 0 else {
      throw StoreError(errno: code, database: name, doing: "create the folder \(path)")
    }
    return try DatabaseClaim(
      name: name, dataPath: FileSystem.canonical(path) + "/" + fileName(name),
      companions: companions, patience: patience)
  }

  /// Names of the databases in the folder, sorted by UTF-8 bytes.
  /// - Throws: `permission` or `io` if the folder cannot be read. A folder that does not exist is
  ///   empty.
  public func list() throws(StoreError) -> [String] {
    let (entries, code) = FileSystem.entries(path)
    guard code == 0 || code == ENOENT else {
      throw StoreError(errno: code, database: "", doing: "list the folder \(path)")
    }
    let suffix = ".\(layout).\(kind)\(DatabaseClaim.ownerSuffix)"
    var names: [String] = []
    for entry in entries where entry.hasSuffix(suffix) {
      let data = path + "/" + entry.dropLast(DatabaseClaim.ownerSuffix.count)
      guard FileSystem.status(data).status != nil,
        let (record, name) = DatabaseClaim.readOwner(path + "/" + entry),
        record.condition != .new, data == dataPath(name)
      else { continue }
      names.append(name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Deletes the files of the database `name`, also those set aside.
  /// - Throws: as ``claim(_:patience:)``.
  public func drop(_ name: String, patience: LockPatience) throws(StoreError) {
    guard FileSystem.status(path).errno != ENOENT else { return }
    let claim = try claim(name, patience: patience)
    defer { claim.release() }
    try claim.deleteAll()
  }

  // MARK: -

  private func fileName(_ name: String) -> String {
    let digits = String(Self.hash(name), radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits + ".\(layout).\(kind)"
  }

  /// FNV-1a of 128 bits: spreads names well and is never used against an adversary, because each
  /// owner file holds the full name, which is compared.
  private static func hash(_ name: String) -> UInt128 {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for byte in name.utf8 {
      hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
    }
    return hash
  }
}
