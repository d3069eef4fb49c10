import ZeroProtocol

/// The rows that a client group holds: how many places of its queries lead to each, since which
/// version of the group it stands as it is, and which rows have gone.
struct RowLedger {
  struct Entry {
    /// Places in results that lead to the row. A row without any goes with the next change.
    var references: Int
    /// The group's version that brought the row as it is now.
    var version: GroupVersion
    /// The commit that wrote what clients have.
    var rowVersion: UInt64
  }

  private(set) var entries: [RowKey: Entry] = [:]
  /// Rows that left the group, and when.
  private(set) var tombstones: [RowKey: GroupVersion] = [:]
  /// Rows whose references or contents changed since the last ``settle(_:at:)``, in that order.
  private var touched: [RowKey] = []
  private var touchedKeys: Set<RowKey> = []
  /// Rows whose entry or tombstone changed since ``takeUnsaved()``; nil while nobody saves them.
  private var unsaved: Set<RowKey>?

  var count: Int { entries.count }

  /// One more (`+1`) or one less (`-1`) place leads to the row.
  mutating func reference(_ key: RowKey, by change: Int) {
    touch(key)
    entries[key, default: Entry(references: 0, version: .initial, rowVersion: 0)].references +=
      change
  }

  /// The contents of a row changed; nothing happens unless the group holds it.
  mutating func edit(_ key: RowKey) {
    if entries[key] != nil { touch(key) }
  }

  /// Forgets all references, as results are about to be computed afresh.
  mutating func dropReferences() {
    for key in entries.keys {
      entries[key]?.references = 0
      touch(key)
    }
  }

  /// Settles what was touched: rows that lead nowhere go, new and changed ones are put.
  ///
  /// Nothing is changed before the caller knows whether there is anything to send, so the version
  /// is asked for once, when the first patch is found.
  mutating func settle(
    _ database: Database, at version: () -> GroupVersion
  ) -> [RowPatch] {
    var patches: [RowPatch] = []
    for key in touched {
      guard var entry = entries[key] else { continue }
      let stored = database.stored(key)
      if entry.references <= 0 || stored == nil {
        entries[key] = nil
        guard entry.rowVersion > 0 else { continue }
        tombstones[key] = version()
        unsaved?.insert(key)
        patches.append(.delete(key))
      } else if let stored, stored.version != entry.rowVersion {
        entry.rowVersion = stored.version
        entry.version = version()
        entries[key] = entry
        tombstones[key] = nil
        unsaved?.insert(key)
        patches.append(.put(key, stored.row))
      }
    }
    touched.removeAll(keepingCapacity: true)
    touchedKeys.removeAll(keepingCapacity: true)
    return patches
  }

  /// What a client with everything up to `version` misses.
  /// - Complexity: O(rows of the group)
  func changes(after version: GroupVersion, _ database: Database) -> [RowPatch] {
    var patches: [RowPatch] = []
    for (key, entry) in entries where entry.version > version {
      if let row = database.stored(key)?.row {
        patches.append(.put(key, row))
      }
    }
    guard version > .initial else { return patches }
    for (key, since) in tombstones where since > version { patches.append(.delete(key)) }
    return patches
  }

  /// The rows whose entry or tombstone changed since the last call.
  mutating func takeUnsaved() -> Set<RowKey> {
    defer { unsaved = [] }
    return unsaved ?? Set(entries.keys).union(tombstones.keys)
  }

  /// Puts back what was kept of a row: when it came as it is, or since when it is gone.
  mutating func restore(_ key: RowKey, version: GroupVersion, rowVersion: UInt64?) {
    if let rowVersion {
      entries[key] = Entry(references: 0, version: version, rowVersion: rowVersion)
    } else {
      tombstones[key] = version
    }
    unsaved = unsaved ?? []
  }

  // MARK: -

  private mutating func touch(_ key: RowKey) {
    if touchedKeys.insert(key).inserted { touched.append(key) }
  }
}

/// One row to put or to delete.
enum RowPatch: Sendable {
  case put(RowKey, Row)
  case delete(RowKey)
}
