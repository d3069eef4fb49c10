import Foundation
import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol

/// The only table of the client.
struct Entry: ZeroTable, Codable {
  var id: String

  init(id: String) { self.id = id }
  init(_ row: RowReader) throws(RowDecodingError) { id = try row.value(0) }
  func encode() -> ContiguousArray<Value> { [id.zero] }

  struct Columns: Sendable { let id = Column<Entry, String>(0) }
  struct Relations: Sendable {}
  static let columns = Columns()
  static let relations = Relations()
  static let table = TableDescriptor(
    "entry", columns: [ColumnDescriptor("id", .string)], primaryKey: ["id"])
}

private let addEntry = defineMutator("entry.add") { (tx, entry: Entry, _: Void) in
  try tx.mutate.table(Entry.self).insert(entry)
}
private let allEntries = defineQuery("all") { (_: Void) in Query<Entry, [Entry]>.all.orderBy(\.id) }

/// A whole client whose sockets end in the lines of the process: the server is whoever reads them.
///
/// It says `open URL HEADER`, `send MESSAGE`, `stored KEY` when a mutation is in the store, and `rows
/// KEY...`; it hears `accept`, `recv MESSAGE` and `settle COUNT`.
@MainActor final class KilledClient {
  private let zero: Zero<Void>
  private let view: MaterializedView<[Entry]>
  private let sockets = LineSockets()
  private let name: String
  private var made = 0
  /// The number of rows at which the rows are said, when nothing is pending.
  private var wantedCount: Int?

  init(storage: any StoreProvider, name: String) throws {
    self.name = name
    var options = ZeroOptions(
      cacheURL: "http://server.example", storage: storage, transport: sockets)
    options.onStorageFailure = {
      StoreWorker.say("failed the store: \($0)")
      exit(1)
    }
    zero = try Zero(
      schema: ZeroSchema(tables: [Entry.table]), userID: "ann", context: (), mutators: [addEntry],
      options: options)
    view = try zero.materialize(allEntries())
    view.addListener { [weak self] _ in self?.sayRows() }
  }

  /// Goes on mutating, two at a time, for as long as it lives.
  func mutate() {
    for _ in 0..<2 { mutateOnce() }
  }

  func hear(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    switch words.first {
    case "accept": sockets.latest?.accept()
    case "recv" where words.count == 2: sockets.latest?.receive(words[1])
    case "settle" where words.count == 2:
      wantedCount = Int(words[1])
      sayRows()
    default:
      StoreWorker.say("failed the command \(line) is unknown")
      exit(1)
    }
  }

  // MARK: -

  private func mutateOnce() {
    made += 1
    let key = "\(name)-\(made)"
    let mutation = zero.mutate(addEntry(Entry(id: key)))
    mutation.persisted.onSettled { [weak self] result in
      guard case .success = result else { return }
      StoreWorker.say("stored \(key)")
      self?.mutateOnce()
    }
  }

  private func sayRows() {
    guard let wantedCount, view.data.count == wantedCount, zero.pending.count == 0 else { return }
    self.wantedCount = nil
    StoreWorker.say((["rows"] + view.data.map(\.id)).joined(separator: " "))
  }
}

/// Sockets whose peer reads the output of this process and writes its input.
@MainActor final class LineSockets: SocketFactory {
  private(set) var latest: LineSocket?

  nonisolated init() {}

  func open(_ request: SocketRequest, events: any SocketEvents) -> any SocketConnection {
    let socket = LineSocket(events)
    latest = socket
    StoreWorker.say("open \(request.url) \(request.subprotocols.first ?? "")")
    return socket
  }
}

/// One socket of ``LineSockets``.
@MainActor final class LineSocket: SocketConnection {
  private weak var events: (any SocketEvents)?

  init(_ events: any SocketEvents) { self.events = events }

  var bufferedBytes: Int { 0 }
  func send(text utf8: [UInt8]) { StoreWorker.say("send \(String(decoding: utf8, as: UTF8.self))") }
  func send(binary bytes: [UInt8]) {}
  func close(code: UInt16?, reason: String) {
    events?.socketDidClose(self, SocketClose(code: code ?? 1005, reason: reason, wasClean: true))
  }

  func accept() { events?.socketDidOpen(self, subprotocol: nil) }
  func receive(_ text: String) { events?.socketDidReceive(self, [.text(Array(text.utf8))]) }
}
