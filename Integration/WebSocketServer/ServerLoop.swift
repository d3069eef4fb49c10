import CZeroSockets
import ZeroWebSocket

/// The I/O thread of a server. Confined to it.
final class ServerLoop {
  private let core: ServerCore
  private var connections: [UInt32: ServerConnection] = [:]
  private var lastID: UInt32 = 0
  private var isStopped = false

  private static let listenerToken: UInt64 = 1 << 32
  private static let wakeToken: UInt64 = 2 << 32

  init(_ core: ServerCore) { self.core = core }

  func run() {
    czero_poller_set(core.poller, core.listener, Int32(CZERO_READABLE), Self.listenerToken)
    czero_poller_set(core.poller, core.wakeReader, Int32(CZERO_READABLE), Self.wakeToken)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 64)
    defer { buffer.deallocate() }
    let ready = UnsafeMutableBufferPointer<czero_ready>.allocate(capacity: 64)
    defer { ready.deallocate() }
    while true {
      runCommands()
      if isStopped { break }
      let count = czero_poller_wait(core.poller, ready.baseAddress, Int32(ready.count), timeout())
      for index in 0..<max(0, Int(count)) { handle(ready[index], buffer) }
      dropOverdue()
    }
    for connection in connections.values { connection.end(reset: false) }
    connections = [:]
    core.finish()
  }

  // MARK: -

  private func runCommands() {
    for command in core.takeCommands() {
      switch command {
      case .text(let id, let utf8): visit(id) { $0.send(text: utf8) }
      case .binary(let id, let bytes): visit(id) { $0.send(binary: bytes) }
      case .close(let id, let code, let reason): visit(id) { $0.close(code, reason) }
      case .drop(let id, let reset): visit(id) { $0.end(reset: reset) }
      case .respond(let id, let response): visit(id) { $0.respond(response) }
      case .stop: isStopped = true
      }
    }
  }

  private func handle(_ ready: czero_ready, _ buffer: UnsafeMutableRawBufferPointer) {
    switch ready.token {
    case Self.wakeToken: czero_pipe_drain(core.wakeReader)
    case Self.listenerToken: accept()
    default:
      let isReadable = ready.events & Int32(CZERO_READABLE | CZERO_FAILED) != 0
      visit(UInt32(truncatingIfNeeded: ready.token)) {
        if isReadable { $0.read(buffer) } else { $0.flush() }
      }
    }
  }

  private func accept() {
    while true {
      let fd = czero_accept(core.listener)
      guard fd >= 0 else { return }
      repeat { lastID &+= 1 } while lastID == 0 || connections[lastID] != nil
      let connection = ServerConnection(fd, id: lastID, core: core)
      connections[lastID] = connection
      connection.flush()
    }
  }

  private func visit(_ id: UInt32, _ body: (ServerConnection) -> Void) {
    guard let connection = connections[id] else { return }
    body(connection)
    if connection.isDone { connections[id] = nil }
  }

  private func timeout() -> Int32 {
    guard let next = connections.values.lazy.compactMap(\.deadline).min() else { return -1 }
    let left = (next - .now).components
    return Int32(
      clamping: max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1))
  }

  private func dropOverdue() {
    let now = ContinuousClock.now
    for (id, connection) in connections {
      if let deadline = connection.deadline, deadline <= now { visit(id) { $0.end(reset: false) } }
    }
  }
}
