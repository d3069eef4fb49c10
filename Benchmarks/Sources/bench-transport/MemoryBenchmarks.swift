import BenchKit
import CBenchSockets
import Foundation
import ZeroProtocol
import ZeroTransportCurl

/// `ws.memory`: the most memory that receiving one large frame takes.
func benchmarkMemory(_ run: BenchRun, port: UInt16) throws {
  guard run.wants("ws.memory") else { return }
  let size = 10 << 20
  let outcome = try MemoryWork.run("ws://127.0.0.1:\(port)/push", size: size)
  run.figure(
    "ws.memory", size: size, Double(outcome) / Double(size), "× payload",
    note: "peak resident bytes while a frame arrives")
}

/// `ws.idle`: connections with nothing to do.
func benchmarkIdle(_ run: BenchRun, port: UInt16) throws {
  guard run.wants("ws.idle") else { return }
  let count = 1000
  // What the first connection of a process brings with it is not counted.
  try IdleSockets.open("ws://127.0.0.1:\(port)/idle", count: 1).close()
  let before = bench_heap_bytes()
  let idle = try IdleSockets.open("ws://127.0.0.1:\(port)/idle", count: count)
  let bytes = bench_heap_bytes() - before
  run.figure(
    "ws.idle.memory", size: count, Double(bytes) / Double(count), "bytes/connection",
    note: "by the allocator's account")
  let cpu = bench_cpu_seconds()
  Thread.sleep(forTimeInterval: 5)
  run.figure(
    "ws.idle.cpu", size: count, (bench_cpu_seconds() - cpu) * 1000, "ms in 5 s",
    note: "the whole process")
  idle.close()
}

/// Many open sockets.
final class IdleSockets: @unchecked Sendable {
  // Written by the main actor before `opened` is signalled and read after.
  private var sockets: [any SocketConnection] = []
  private var listener: Listener?
  private let opened = DispatchSemaphore(value: 0)

  static func open(_ url: String, count: Int) throws -> IdleSockets {
    let idle = IdleSockets()
    Task { @MainActor in
      let listener = Listener(count) { idle.opened.signal() }
      idle.listener = listener
      let factory = CurlSocketFactory()
      for _ in 0..<count {
        idle.sockets.append(
          factory.open(
            SocketRequest(url: url, connectTimeout: .seconds(30)), events: listener))
      }
    }
    idle.opened.wait()
    return idle
  }

  func close() {
    Task { @MainActor in
      self.sockets = []
      self.opened.signal()
    }
    opened.wait()
  }

  @MainActor private final class Listener: SocketEvents {
    private var remaining: Int
    private let done: @MainActor () -> Void

    init(_ count: Int, _ done: @escaping @MainActor () -> Void) {
      remaining = count
      self.done = done
    }

    func socketDidOpen(_ socket: any SocketConnection, subprotocol: String?) { count() }
    func socketDidReceive(_ socket: any SocketConnection, _ messages: [SocketMessage]) {}
    func socketDidDrain(_ socket: any SocketConnection) {}
    func socketDidClose(_ socket: any SocketConnection, _ close: SocketClose) {
      print("an idle connection ended: \(close)")
      count()
    }

    private func count() {
      remaining -= 1
      if remaining == 0 { done() }
    }
  }
}

/// Receives one large message from a server that has it ready, and measures the peak meanwhile.
@MainActor final class MemoryWork: SocketEvents {
  private let size: Int
  private var received = 0
  private var before = 0
  private let done: @MainActor (Int) -> Void
  private var socket: (any SocketConnection)?

  private init(size: Int, done: @escaping @MainActor (Int) -> Void) {
    self.size = size
    self.done = done
  }

  /// - Returns: bytes above what was resident before.
  nonisolated static func run(_ url: String, size: Int) throws -> Int {
    let semaphore = DispatchSemaphore(value: 0)
    let box = Box()
    Task { @MainActor in
      let work = MemoryWork(size: size) {
        box.bytes = $0
        semaphore.signal()
      }
      box.work = work
      work.socket = CurlSocketFactory().open(SocketRequest(url: url), events: work)
    }
    semaphore.wait()
    return box.bytes
  }

  func socketDidOpen(_ socket: any SocketConnection, subprotocol: String?) {
    socket.send(text: Array("1000 1".utf8))
  }

  func socketDidReceive(_ socket: any SocketConnection, _ messages: [SocketMessage]) {
    received += messages.count
    guard received == 1 else {
      done(bench_peak_bytes() - before)
      socket.close(code: 1000, reason: "")
      return
    }
    bench_reset_peak()
    before = bench_resident_bytes()
    socket.send(text: Array("\(size) 1".utf8))
  }

  func socketDidDrain(_ socket: any SocketConnection) {}

  func socketDidClose(_ socket: any SocketConnection, _ close: SocketClose) {
    if let error = close.error {
      print("ws.memory failed: \(error.message)")
      done(0)
    }
  }

  /// Written by the main actor before the semaphore is signalled.
  private final class Box: @unchecked Sendable {
    var bytes = 0
    var work: MemoryWork?
  }
}
