import Foundation
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol

/// A whole client whose sockets end in the lines of the process: the server is whoever reads them.
///
/// It says `open URL HEADER`, `send MESSAGE`, `stored KEY` when a mutation is in the store, and `rows
/// KEY...`; it hears `accept`, `recv MESSAGE` and `settle COUNT`.
@MainActor final class KilledClient {
  private let engine: ClientEngine
  private let view: EngineView
  private let sockets = LineSockets()
  private let name: String
  private var made = 0
  /// The number of rows at which the rows are said, when nothing is pending.
  private var wantedCount: Int?

  init(storage: any StoreProvider, name: String) throws {
    self.name = name
    let table = TableDescriptor(
      "entry", columns: [ColumnDescriptor("id", .string)], primaryKey: ["id"])
    var options = EngineOptions(schema: ZeroSchema(tables: [table]))
    options.serverURL = "http://server.example"
    options.userID = "ann"
    options.mutators = [
      MutatorDefinition("entry.add") { tx, args in
        guard case .object(let row)? = args else { return }
        try tx.table("entry").insert(row)
      }
    ]
    options.onStorageFailure = {
      StoreWorker.say("failed the store: \($0)")
      exit(1)
    }
    engine = try ClientEngine(
      options,
      EngineEnvironment(
        storage: storage, sockets: sockets, scheduler: SystemScheduler.shared))
    let query = try AnyQuery(options.schema, table: "entry").orderBy("id").named("all", args: [])
    view = try engine.materialize(query.ast, query.format, query.customQueryID)
    view.addListener { [weak self] _, _, _ in self?.sayRows() }
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
    do {
      let mutation = try engine.mutate("entry.add", .object(["id": .string(key)]))
      mutation.persisted.onSettled { [weak self] result in
        guard case .success = result else { return }
        StoreWorker.say("stored \(key)")
        self?.mutateOnce()
      }
    } catch {
      StoreWorker.say("failed \(error)")
      exit(1)
    }
  }

  private func sayRows() {
    guard let wantedCount, case .many(let rows) = view.data, rows.count == wantedCount,
      engine.diagnostics().pending.isEmpty
    else { return }
    self.wantedCount = nil
    let keys = rows.map { entry in
      if case .string(let key) = entry.row[0].jsonValue { key } else { "?" }
    }
    StoreWorker.say((["rows"] + keys).joined(separator: " "))
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
