public import ZeroProtocol
@_spi(Testing) public import ZeroStoreCore

/// Keeps each database in an SQLite file of its own.
///
/// The files lie in one folder, named by a hash of the database's name: `….1.sqlite`, its log
/// (`-wal`, `-shm`) while it is open, and `….1.sqlite.owner` with the name and the process that has it
/// open. Files have mode 0600, folders made for them 0700.
public struct SQLiteStoreProvider: StoreProvider {
  /// How databases are opened.
  public struct Options: Sendable {
    /// When commits reach stable storage.
    public enum Synchronous: Sendable {
      /// With the next checkpoint, `sync()` or `close()`. A commit survives the end of the process at
      /// once; after a power loss a prefix of the commits is there.
      case normal
      /// Before `write` returns.
      case full
    }

    /// See ``Synchronous``; normal unless set.
    public var synchronous: Synchronous
    /// How long opening waits for another process to let go of the database, and writing for another
    /// program that has locked the file. A second unless set; zero does not wait.
    public var busyTimeout: Duration
    var patience: LockPatience

    /// The usual options: fast commits of which a power loss leaves a prefix, and a second of waiting.
    public init(synchronous: Synchronous = .normal, busyTimeout: Duration = .seconds(1)) {
      self.synchronous = synchronous
      self.busyTimeout = busyTimeout
      patience = LockPatience(limit: busyTimeout)
    }

    /// Replaces waiting, for tests.
    @_spi(Testing) public init(synchronous: Synchronous = .normal, patience: LockPatience) {
      self.synchronous = synchronous
      self.patience = patience
      busyTimeout = patience.limit
    }
  }

  /// The folder the files are in.
  public var directory: String { folder.path }
  /// How databases are opened.
  public let options: Options

  private let folder: DatabaseFolder

  /// - Parameters:
  ///   - directory: path of the folder, created when first needed; nil for
  ///     `DatabaseFolder.standardPath`.
  ///   - options: how databases are opened.
  public init(directory: String? = nil, options: Options = Options()) {
    self.options = options
    folder = DatabaseFolder(
      path: directory ?? DatabaseFolder.standardPath, kind: "sqlite",
      layout: SQLiteLayout.version, companions: ["", "-wal", "-shm", "-journal"])
  }

  /// Path of the file that holds the database `name`, whether or not it exists.
  public func path(of name: String) -> String { folder.dataPath(name) }

  public func open(_ name: String, tables: [String]) throws(StoreError) -> any Store {
    let tables = try TableNames(tables, database: name)
    let claim = try folder.claim(name, patience: options.patience)
    do {
      let connections = try connect(claim, tables)
      return SQLiteStore(
        claim: claim, connections: connections, tables: tables,
        durability: options.synchronous == .full ? .full : .ordered)
    } catch {
      defer { claim.release() }
      throw error.code == .corrupt ? claim.setAside(reason: error.message) : claim.explained(error)
    }
  }

  public func list() throws(StoreError) -> [String] { try folder.list() }

  public func drop(_ name: String) throws(StoreError) {
    try folder.drop(name, patience: options.patience)
  }

  // MARK: -

  private func connect(
    _ claim: DatabaseClaim, _ tables: TableNames
  ) throws(StoreError) -> SQLiteConnections {
    let trust = try claim.examine()
    if trust == .fresh { try claim.create() }
    // Takes 7 ms for 100,000 records of 250 bytes, half as long as reading them, which a client does next.
    let finding = try explaining(trust) { () throws(StoreError) in
      trust == .fresh ? .sound : try checkFile(claim, tables)
    }
    let writer = try connection(claim, tables)
    let layout = SQLiteLayout(connection: writer, database: claim.name)
    if trust != .fresh { try layout.check() }
    switch (trust, finding) {
    case (.suspicious, _), (_, .undecided):
      try explaining(trust) { () throws(StoreError) in try layout.checkThoroughly() }
    default: break
    }
    guard try writer.execute("PRAGMA journal_mode = WAL") == ["wal"] else {
      throw StoreError(
        .io, database: claim.name,
        message: "\(claim.dataPath) cannot have a write-ahead log there; choose another folder")
    }
    // The log shrinks to this after a transaction that was larger.
    try writer.execute("PRAGMA journal_size_limit = 16777216")
    if trust == .fresh {
      try layout.create(tables.names)
    } else {
      try layout.addTables(tables.names)
    }
    if options.synchronous == .full { try writer.reserveLog(of: claim) }
    try claim.markOpen(durably: trust == .fresh)
    return SQLiteConnections(database: claim.name, writer: writer) {
      [self] () throws(StoreError) in try connection(claim, tables)
    }
  }

  /// Checks the data file before the library works with it.
  private func checkFile(
    _ claim: DatabaseClaim, _ tables: TableNames
  ) throws(StoreError) -> SQLiteFileCheck.Finding {
    let check = SQLiteFileCheck(claim: claim)
    if check.hasLog {
      // The connection is closed before the file is read, which would take its locks away.
      let isMoved = try connection(claim, tables).moveLog()
      guard isMoved else { return .undecided("another program reads an older state of it") }
    }
    return try check.run()
  }

  /// Adds to damage why the file was not trusted in the first place.
  private func explaining<Result>(
    _ trust: DatabaseClaim.Trust, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do { return try body() } catch {
      guard error.code == .corrupt, case .suspicious(let what) = trust else { throw error }
      throw StoreError(
        .corrupt, database: error.database, message: "\(what); \(error.message)",
        underlyingCode: error.underlyingCode)
    }
  }

  private func connection(
    _ claim: DatabaseClaim, _ tables: TableNames
  ) throws(StoreError) -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: claim.dataPath, database: claim.name, tables: tables.names,
      patience: options.patience)
    guard !connection.isReadOnly else {
      throw StoreError(
        .readOnly, database: claim.name,
        message: "\(claim.dataPath) cannot be written; make the file and its folder writable")
    }
    let level = options.synchronous == .full ? "FULL" : "NORMAL"
    try connection.execute("PRAGMA synchronous = \(level)")
    #if canImport(Darwin)
      // Without it the drive may keep what was synchronized in its own memory.
      try connection.execute("PRAGMA fullfsync = 1")
      try connection.execute("PRAGMA checkpoint_fullfsync = 1")
    #endif
    return connection
  }
}

extension StoreProvider where Self == SQLiteStoreProvider {
  /// Keeps each database in an SQLite file, in `directory` or the usual folder for an app's data.
  public static func sqlite(
    directory: String? = nil, options: SQLiteStoreProvider.Options = .init()
  ) -> Self {
    SQLiteStoreProvider(directory: directory, options: options)
  }
}
