import Foundation
import Synchronization
import ZeroProtocol

extension StoreContract {
  static let concurrencyCases: [Case] = [
    Case("a snapshot stays the same whatever is written meanwhile") { subject in
      let store = try subject.open()
      try store.set(alpha, bytes("k"), bytes("old"))
      try store.read { snapshot in
        try store.write { transaction in
          try transaction.put(alpha, bytes("k"), bytes("new"))
          try transaction.put(alpha, bytes("l"), [])
        }
        try store.write { try $0.deletePrefix(beta, []) }
        for round in 0..<20 { try store.set(beta, bytes("\(round)"), bytes("x")) }
        try require(try snapshot.get(alpha, bytes("k")) == bytes("old"), "it sees a later value")
        try require(try snapshot.keys(alpha) == [bytes("k")], "it sees a later key")
        try require(try snapshot.keys(beta).isEmpty, "it sees another table's later keys")
        try require(try store.value(alpha, bytes("k")) == bytes("new"), "a new one is stale")
      }
    },
    Case("readers do not wait for an open write and do not see it") { subject in
      let store = try subject.open()
      try store.set(alpha, bytes("k"), bytes("old"))
      try store.write { transaction in
        try transaction.put(alpha, bytes("k"), bytes("new"))
        let same = try store.value(alpha, bytes("k"))
        try require(same == bytes("old"), "the same thread reads \(String(describing: same))")
        let other = try onThread { try store.value(alpha, bytes("k")) }
        try require(other == bytes("old"), "another thread reads \(String(describing: other))")
      }
      try require(try store.value(alpha, bytes("k")) == bytes("new"), "the commit is not seen")
    },
    Case("a writer does not wait for open readers") { subject in
      let store = try subject.open()
      try store.read { _ in
        try onThread { for byte in UInt8(1)...50 { try store.set(alpha, [byte], []) } }
      }
      try require(try store.read { try $0.keys(alpha) }.count == 50, "writes are missing")
    },
    Case("writes from several threads take turns") { subject in
      let store = try subject.open()
      try store.set(alpha, bytes("n"), [0, 0])
      let failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do {
          for _ in 0..<25 {
            try store.write { transaction in
              let old = try transaction.get(alpha, bytes("n")) ?? [0, 0]
              let next = Int(old[0]) + Int(old[1]) * 256 + 1
              try transaction.put(alpha, bytes("n"), [UInt8(next % 256), UInt8(next / 256)])
            }
          }
        } catch { failures.withLock { $0.append("\(error)") } }
      }
      try require(failures.withLock { $0.isEmpty }, "a write failed: \(failures.withLock { $0 })")
      try require(try store.value(alpha, bytes("n")) == [100, 0], "an increment is lost")
    },
    Case("many readers at once all see one state") { subject in
      let store = try subject.open()
      let failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { worker in
        do {
          for round in 0..<20 {
            if worker == 0 {
              try store.write { transaction in
                for key in UInt8(0)..<10 { try transaction.put(alpha, [1, key], [UInt8(round)]) }
              }
            } else {
              let values = try store.read { try $0.pairs(alpha) }.map { $0.value }
              try require(
                values.isEmpty || (values.count == 10 && Set(values).count == 1),
                "half a transaction is seen: \(values)")
            }
          }
        } catch { failures.withLock { $0.append("\(error)") } }
      }
      try require(failures.withLock { $0.isEmpty }, "\(failures.withLock { $0 })")
    },
    Case("close waits for a running closure and refuses new ones") { subject in
      let store = try subject.open()
      try store.set(alpha, bytes("k"), bytes("v"))
      let closed = DispatchSemaphore(value: 0)
      let hasClosed = Atomic(false)
      try store.read { snapshot in
        // A thread of its own: on one core the shared pool starts none while this one is busy.
        Thread.detachNewThread {
          store.close()
          hasClosed.store(true, ordering: .sequentiallyConsistent)
          closed.signal()
        }
        // Until the other thread has reached close, reads are still admitted.
        while (try? store.read { _ in }) != nil { sched_yield() }
        try requireError(.closed, "a write after close") { try store.write { _ in } }
        try require(try snapshot.get(alpha, bytes("k")) == bytes("v"), "the open snapshot is gone")
        try require(!hasClosed.load(ordering: .sequentiallyConsistent), "close did not wait")
      }
      closed.wait()
    },
    Case("close inside a closure takes effect when the closure ends") { subject in
      let store = try subject.open()
      try store.write { transaction in
        store.close()
        try transaction.put(alpha, bytes("k"), bytes("v"))
      }
      try requireError(.closed, "a read after close") { try store.read { _ in } }
      let again = try subject.open()
      try require(try again.value(alpha, bytes("k")) == bytes("v"), "the last write is lost")
    },
  ]
}

/// Runs `body` on another thread and returns what it returns.
private func onThread<Success: Sendable>(
  _ body: @escaping @Sendable () throws -> Success
) throws -> Success {
  let outcome = Outcome<Success>()
  Thread.detachNewThread { outcome.settle(Result { try body() }) }
  return try outcome.wait().get()
}

/// What a thread leaves for the one that waits for it.
private final class Outcome<Success: Sendable>: Sendable {
  private let result = Mutex<Result<Success, any Error>?>(nil)
  private let isSettled = DispatchSemaphore(value: 0)

  func settle(_ result: Result<Success, any Error>) {
    self.result.withLock { $0 = result }
    isSettled.signal()
  }

  func wait() -> Result<Success, any Error> {
    isSettled.wait()
    return result.withLock { $0 }
      ?? .failure(StoreContract.Violation(message: "the thread left no outcome"))
  }
}
