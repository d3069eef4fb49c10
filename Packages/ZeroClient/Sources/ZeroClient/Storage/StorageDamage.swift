import ZeroProtocol

/// Records that the store gave back but that are not what this client writes there: what opening has to
/// mend, and to tell the app.
struct StorageDamage: Sendable {
  /// What becomes of the unreadable records of a table.
  enum Remedy: String, Sendable {
    case resync = "the rows of the client group are dropped and come again from the server"
    case forget = "they are removed; nothing else depends on them"
    case refuse = "they are on the list of refused mutations"
  }

  private struct Found {
    let table: DatabaseTable
    let firstKey: [UInt8]
    let remedy: Remedy
    var count = 1
  }

  private let database: String
  private var found: [Found] = []

  init(_ database: String) { self.database = database }

  /// Notes an unreadable record.
  mutating func note(_ table: DatabaseTable, _ key: [UInt8], _ remedy: Remedy) {
    if let place = found.firstIndex(where: { $0.table == table && $0.remedy == remedy }) {
      found[place].count += 1
    } else {
      found.append(Found(table: table, firstKey: key, remedy: remedy))
    }
  }

  /// What the app is told: one failure for each table and remedy. Keys are in the failures and not in
  /// their messages, which may be logged.
  var failures: [StoreError] {
    found.map {
      StoreError(
        .corrupt, database: database,
        message: "unreadable records in table \($0.table): \($0.count); \($0.remedy.rawValue)",
        record: StoreError.Record(table: "\($0.table)", key: $0.firstKey))
    }
  }
}
