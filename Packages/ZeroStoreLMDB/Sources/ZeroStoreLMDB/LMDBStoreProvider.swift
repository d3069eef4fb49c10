import CZeroLMDB
public import ZeroProtocol
@_spi(Testing) public import ZeroStoreCore

/// Keeps each database in an LMDB file of its own.
///
/// The files lie in one folder, named by a hash of the database's name: `….1.lmdb`, its table of
/// readers (`-lock`), and `….1.lmdb.owner` with the name and the process that has it open. Files have
/// mode 0600, folders made for them 0700.
public struct LMDBStoreProvider: StoreProvider {
  /// How databases are opened.
  public struct Options: Sendable {
    /// When commits reach stable storage.
    public enum Synchronization: Sendable {
      /// When the system likes, or with `sync()`. A commit survives the end of the process, but after a
      /// power loss the file may be damaged, which the next open finds.
      case process
      /// The data of a commit before `write` returns, the page that makes it the current one with the
      /// next commit or `sync()`: after a power loss all commits but the last are there.
      case ordered
      /// Before `write` returns, which waits for the disk once: each commit carries a digest of all
      /// records, and one of which a power loss left a part is taken back by the next open.
      case full
    }

    /// See ``Synchronization``; ordered unless set.
    public var synchronization: Synchronization
    /// How long opening waits for another process to let go of the database. A second unless set;
    /// zero does not wait.
    public var busyTimeout: Duration
    /// Address space reserved at first, in bytes; it costs no memory and no disk. The map is doubled
    /// between writes once half of it is used, or inside a write that fills it, which then waits up to
    /// `busyTimeout` for open reads to end. 64 GiB unless set, 1 GiB on iOS.
    public var initialMapBytes: Int
    var patience: LockPatience

    /// The usual options; `initialMapBytes` is rounded to whole pages.
    public init(
      synchronization: Synchronization = .ordered, busyTimeout: Duration = .seconds(1),
      initialMapBytes: Int? = nil
    ) {
      self.synchronization = synchronization
      self.busyTimeout = busyTimeout
      self.initialMapBytes = Self.mapBytes(initialMapBytes)
      patience = LockPatience(limit: busyTimeout)
    }

    /// Replaces waiting, for tests.
    @_spi(Testing) public init(patience: LockPatience) {
      self.init()
      self.patience = patience
    }

    /// A whole number of the largest pages there are, and no less than the library needs to begin.
    private static func mapBytes(_ wish: Int?) -> Int {
      #if os(iOS) || os(watchOS) || os(tvOS) || os(visionOS)
        let usual = 1 << 30
      #else
        let usual = MemoryLayout<Int>.size == 8 ? 1 << 36 : 1 << 28
      #endif
      let unit = 1 << 16
      return max(unit, (min(wish ?? usual, 1 << 46) / unit) * unit)
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
      path: directory ?? DatabaseFolder.standardPath, kind: "lmdb", layout: LMDBLayout.version,
      companions: ["", "-lock"])
  }

  /// Path of the file that holds the database `name`, whether or not it exists.
  public func path(of name: String) -> String { folder.dataPath(name) }

  public func open(_ name: String, tables: [String]) throws(StoreError) -> any Store {
    let tables = try TableNames(tables, database: name)
    let claim = try folder.claim(name, patience: options.patience)
    do {
      return try open(claim, tables)
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

  private func open(_ claim: DatabaseClaim, _ tables: TableNames) throws(StoreError) -> LMDBStore {
    let trust = try claim.examine()
    if trust == .fresh { try claim.create() }
    let found = try check(claim, trust)
    let (flags, durability): (Int32, StoreDurability) =
      switch options.synchronization {
      case .process: (MDB_NOSYNC, .process)
      case .ordered: (MDB_NOMETASYNC, .ordered)
      // Until commits carry seals.
      case .full: (0, .full)
      }
    let isSealing = durability == .full
    try claim.reserve("-lock", byteCount: LMDBEnvironment.lockBytes, creates: true)
    let environment = try LMDBEnvironment(
      path: claim.dataPath, database: claim.name, mapBytes: options.initialMapBytes, flags: flags)
    do {
      let handles = try prepare(environment, tables.names, trust, found, isSealing: isSealing)
      if isSealing {
        // A commit that was seen, but had not reached the disk when its process ended, would be lost
        // together with the next one.
        if trust != .clean { try environment.synchronize() }
        try environment.deferSynchronization()
      }
      try claim.markOpen(durably: trust == .fresh || isSealing)
      let context = LMDBContext(
        claim, environment, handles: handles.tables, notes: handles.notes, tables: tables,
        digest: isSealing ? found.digest : nil, patience: options.patience)
      return LMDBStore(context, durability: durability)
    } catch {
      environment.close()
      throw error
    }
  }

  private func check(
    _ claim: DatabaseClaim, _ trust: DatabaseClaim.Trust
  ) throws(StoreError) -> LMDBPageWalk.Findings {
    if trust == .fresh { return LMDBPageWalk.Findings() }
    // The library trusts its pages and would follow a damaged one out of the map. The check costs a
    // small part of the scan with which a client starts anyway.
    let check = LMDBFileCheck(path: claim.dataPath, database: claim.name)
    do { return try check.run(canRollBack: trust == .unclean) } catch {
      guard error.code == .corrupt, case .suspicious(let what) = trust else { throw error }
      throw StoreError(
        .corrupt, database: claim.name, message: "\(what); \(error.message)",
        underlyingCode: error.underlyingCode)
    }
  }

  private func prepare(
    _ environment: LMDBEnvironment, _ tables: [String], _ trust: DatabaseClaim.Trust,
    _ found: LMDBPageWalk.Findings, isSealing: Bool
  ) throws(StoreError) -> (tables: [MDB_dbi], notes: MDB_dbi) {
    while true {
      let transaction = try environment.beginWrite()
      let layout = LMDBLayout(environment: environment, transaction: transaction)
      let handles: (tables: [MDB_dbi], notes: MDB_dbi)
      do {
        if trust == .fresh { try layout.create() } else { try layout.check() }
        if case .suspicious = trust { try layout.checkRecords() }
        let opened = try layout.openTables(tables)
        let notes = try layout.openNotes()
        handles = (opened.handles, notes)
        // A commit without a seal must not leave that of an earlier one behind.
        if !isSealing {
          if found.seal != nil { try layout.removeSeal() }
        } else if found.seal == nil || opened.areNew {
          try layout.seal(found.digest, in: notes)
        }
      } catch {
        mdb_txn_abort(transaction)
        guard error.underlyingCode == Int(MDB_MAP_FULL) else { throw error }
        try environment.grow()
        continue
      }
      let code = mdb_txn_commit(transaction)
      if code == 0 { return handles }
      guard code == MDB_MAP_FULL else { throw environment.error(code, "commit the tables") }
      try environment.grow()
    }
  }
}

extension StoreProvider where Self == LMDBStoreProvider {
  /// Keeps each database in an LMDB file, in `directory` or the usual folder for an app's data.
  public static func lmdb(
    directory: String? = nil, options: LMDBStoreProvider.Options = .init()
  ) -> Self {
    LMDBStoreProvider(directory: directory, options: options)
  }
}
