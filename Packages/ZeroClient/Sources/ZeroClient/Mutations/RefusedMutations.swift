import ZeroProtocol

/// Tells refused mutations apart, also when another client reads them from the store.
struct RefusedKey: Hashable {
  let client: UTF8Key
  let id: Int

  init(_ mutation: PendingMutation) {
    client = UTF8Key(mutation.clientID)
    id = mutation.id
  }

  init(_ record: RefusedRecord) {
    client = UTF8Key(record.clientID)
    id = record.id
  }
}

/// The mutations that will never take effect and that the app has not acknowledged.
struct RefusedMutations {
  private(set) var records: [RefusedRecord] = []
  private var nextSequence: UInt64 = 1

  /// Takes over what was stored.
  mutating func restore(_ records: [RefusedRecord]) {
    self.records = records
    nextSequence = 1 + (records.map(\.sequence).max() ?? 0)
  }

  /// A record of a mutation that is refused, with the next place in the list.
  mutating func record(
    _ mutation: PendingMutation, _ reason: RefusedMutation.Reason, message: String,
    details: JSONValue?
  ) -> RefusedRecord {
    defer { nextSequence += 1 }
    return RefusedRecord(
      sequence: nextSequence, clientID: mutation.clientID, id: mutation.id, name: mutation.name,
      args: mutation.args, timestamp: mutation.timestamp, kind: reason.rawValue, message: message,
      details: details)
  }

  /// A record of another list, with the next place in this one.
  mutating func renumbered(_ record: RefusedRecord) -> RefusedRecord {
    defer { nextSequence += 1 }
    var record = record
    record.sequence = nextSequence
    return record
  }

  mutating func add(_ records: [RefusedRecord]) { self.records.append(contentsOf: records) }

  /// - Returns: those of the records that there were.
  mutating func remove(_ sequences: Set<UInt64>) -> [UInt64] {
    let removed = records.map(\.sequence).filter { sequences.contains($0) }
    if !removed.isEmpty { records.removeAll { sequences.contains($0.sequence) } }
    return removed
  }
}
