@_spi(Engine) import ZeroProtocol

/// The records of clients and groups in the database, and the work that keeps them in order: signs of
/// life, and collecting what nobody uses any more.
///
/// The records are mirrored in memory; decisions are made here and written in the background.
@MainActor final class ClientLifecycle {
  static let heartbeatInterval: Duration = .seconds(60)
  static let collectionInterval: Duration = .seconds(300)
  static let databaseCollectionInterval: Duration = .seconds(12 * 3600)
  /// Milliseconds after which a client counts as gone.
  static let maxInactiveTime: Double = 24 * 3_600_000
  /// Milliseconds after which a database that no client used is collected.
  nonisolated static let maxDatabaseAge: Double = 48 * 3_600_000

  static let storingDelay: Duration = .seconds(1)

  private(set) var deleted: DeletedClients
  private var clients: [String: ClientRecord]
  private var groups: [String: GroupRecord]
  private unowned let engine: ClientEngine
  private var timers: [any SchedulerTimer] = []
  private var isRecordCheckDue = false

  init(_ engine: ClientEngine, _ contents: DatabaseContents) {
    self.engine = engine
    clients = contents.clients
    groups = contents.groups
    deleted = DeletedClients(contents.deleted)
    let scheduler = engine.scheduler
    timers = [
      scheduler.every(Self.heartbeatInterval) { [weak self] in self?.turn { $0.beat() } },
      scheduler.every(Self.collectionInterval) { [weak self] in
        self?.turn { lifecycle in
          lifecycle.collectClients()
          lifecycle.collectGroups()
        }
      },
      scheduler.after(Self.collectionInterval) { [weak self] in
        self?.turn { $0.collectDatabasesRepeatedly() }
      },
    ]
  }

  func stop() {
    for timer in timers { timer.cancel() }
    timers = []
  }

  /// The record of this client's group.
  var ownGroup: GroupRecord? {
    get { groups[engine.groupID] }
    set { groups[engine.groupID] = newValue }
  }

  /// The group's record as a poke leaves it.
  func group(withCookie cookie: String) -> GroupRecord? {
    var group = ownGroup
    group?.cookie = cookie
    return group
  }

  func pokeApplied(cookie: String?) { groups[engine.groupID]?.cookie = cookie }

  /// Something is stored for this client. If its record is not there any more, the app hears of it when
  /// the reference, which stores with that delay, would notice.
  func stored() {
    guard clients[engine.clientID] == nil, !isRecordCheckDue else { return }
    isRecordCheckDue = true
    timers.append(
      engine.scheduler.after(Self.storingDelay) { [weak self] in
        self?.turn { lifecycle in
          lifecycle.isRecordCheckDue = false
          lifecycle.checkOwnRecord()
        }
      })
  }

  /// Reports a missing record of this client.
  func checkOwnRecord() {
    if clients[engine.clientID] == nil { engine.clientStateNotFound() }
  }

  /// The server says which clients and groups it does not know any more.
  func serverDeleted(_ message: DeleteClients) {
    let ids = Set(message.clientIDs ?? [])
    let groupIDs = Set(message.clientGroupIDs ?? [])
    guard !ids.isEmpty || !groupIDs.isEmpty else { return }
    let confirmed = deleted.confirm(clients: ids, groups: groupIDs)
    let gone = clients.filter { ids.contains($0.key) || groupIDs.contains($0.value.group) }.keys
    for id in gone { clients[id] = nil }
    let goneIDs = Array(gone)
    engine.write { transaction in
      for client in confirmed { try transaction.delete(DatabaseTable.deleted.table, client.key) }
      for id in goneIDs { try transaction.delete(DatabaseTable.clients.table, StorageKey.text(id)) }
    }
  }

  // MARK: -

  private func turn(_ body: @escaping @MainActor (ClientLifecycle) -> Void) {
    engine.loop.dispatch { body(self) }
  }

  private func beat() {
    let id = engine.clientID
    guard clients[id] != nil else { return engine.clientStateNotFound() }
    let record = ClientRecord(group: engine.groupID, heartbeat: engine.scheduler.wallTime)
    clients[id] = record
    engine.write { transaction in
      try transaction.put(DatabaseTable.clients.table, StorageKey.text(id), record.stored)
    }
  }

  /// Removes clients that showed no sign of life for too long, and tells the server.
  private func collectClients() {
    let now = engine.scheduler.wallTime
    let gone = clients.filter {
      $0.key != engine.clientID && now - $0.value.heartbeat > Self.maxInactiveTime
    }
    guard !gone.isEmpty else { return }
    for id in gone.keys { clients[id] = nil }
    dropLastMutationIDs()
    add(
      gone.map { DeletedClient(group: $0.value.group, client: $0.key) }, removing: Array(gone.keys))
  }

  private func add(_ gone: [DeletedClient], removing ids: [String]) {
    deleted.add(gone)
    engine.write { transaction in
      for id in ids { try transaction.delete(DatabaseTable.clients.table, StorageKey.text(id)) }
      for client in gone { try transaction.put(DatabaseTable.deleted.table, client.key, []) }
    }
    engine.sendIfConnected(
      .deleteClients(DeleteClients(clientIDs: deleted.clients(of: engine.groupID))))
  }

  /// Forgets the last mutation IDs of clients of the group that are gone and for which nothing waits.
  private func dropLastMutationIDs() {
    let waiting = Set(engine.pending.map { UTF8Key($0.clientID) })
    // The next ID of this client follows from its last, also if its record is gone.
    let own = UTF8Key(engine.clientID)
    let gone = engine.server.lastMutationIDs.keys.filter {
      $0 != own && clients[$0.string] == nil && !waiting.contains($0)
    }
    guard !gone.isEmpty else { return }
    for client in gone { engine.server.lastMutationIDs[client] = nil }
    let groupID = engine.groupID
    engine.write { transaction in
      for client in gone {
        try transaction.delete(
          DatabaseTable.lmids.table, StorageKey.pair(groupID, client.string))
      }
    }
  }

  /// Removes groups that no client belongs to. One in which mutations wait is kept, and reported by
  /// ``ZeroOptions/onUnsentMutations``; those of a disabled group are on the list of refused ones.
  private func collectGroups() {
    let used = Set(clients.values.map(\.group)).union([engine.groupID])
    let unused = groups.keys.filter { !used.contains($0) }
    guard !unused.isEmpty else { return }
    let disabled = Set(unused.filter { groups[$0]?.isDisabled == true })
    for id in unused { groups[id] = nil }
    engine.write { transaction in
      for id in unused {
        let prefix = StorageKey.prefix(group: id)
        if !disabled.contains(id), try UnsentMutations.count(in: transaction, prefix) > 0 {
          continue
        }
        for table in [DatabaseTable.lmids, .rows, .got, .pending] {
          try transaction.deletePrefix(table.table, prefix)
        }
        try transaction.delete(DatabaseTable.groups.table, StorageKey.text(id))
      }
    }
  }

  private func collectDatabasesRepeatedly() {
    collectDatabases()
    timers.append(
      engine.scheduler.every(Self.databaseCollectionInterval) { [weak self] in
        self?.turn { $0.collectDatabases() }
      })
  }

  private func collectDatabases() {
    let collection = DatabaseCollection(
      provider: engine.environment.storage, ownName: engine.databaseName,
      now: engine.scheduler.wallTime)
    let (executor, loop, log) = (engine.environment.executor, engine.loop, engine.log)
    executor.run {
      Result { try collection.candidates() }
    } completion: { [weak self] result in
      loop.dispatch {
        switch result {
        case .failure(let error): log.error("databases cannot be collected: \(error)")
        case .success(let names): if let self, !names.isEmpty { self.collect(names, collection) }
        }
      }
    }
  }

  private func collect(_ names: [String], _ collection: DatabaseCollection) {
    let (executor, loop, log) = (engine.environment.executor, engine.loop, engine.log)
    // Clients that open one of these databases meanwhile wait, so that they do not find it in use.
    let held = names.filter { loop.closing.hold($0) }
    executor.run {
      Result { try collection.run(held) }
    } completion: { [weak self] result in
      loop.dispatch {
        for name in held { loop.closing.release(name) }
        switch result {
        case .failure(let error): log.error("databases cannot be collected: \(error)")
        case .success(let gone): if let self, !gone.isEmpty { self.add(gone, removing: []) }
        }
      }
    }
  }
}
