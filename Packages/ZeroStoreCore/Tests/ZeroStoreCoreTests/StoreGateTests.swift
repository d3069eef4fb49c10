import Foundation
import Synchronization
import Testing
import ZeroProtocol

@testable import ZeroStoreCore

@Suite struct StoreGateTests {
  @Test("a reader that was held off when the store closed is refused")
  func heldOffReader() throws {
    for _ in 0..<50 {
      let gate = StoreGate(database: "db")
      let isReading = DispatchSemaphore(value: 0)
      let isDone = DispatchSemaphore(value: 0)
      let code = Mutex<StoreError.Code?>(nil)
      try gate.beginWrite()
      let wasAlone = try gate.withoutReaders(patience: LockPatience(limit: .zero)) {
        Thread.detachNewThread {
          isReading.signal()
          do throws(StoreError) {
            try gate.beginRead()
            gate.endRead()
          } catch { code.withLock { $0 = error.code } }
          isDone.signal()
        }
        isReading.wait()
        for _ in 0..<100 { sched_yield() }
        gate.close {}
      }
      #expect(wasAlone)
      gate.endWrite()
      isDone.wait()
      #expect(code.withLock { $0 } == .closed)
    }
  }

  @Test("room on a file system is counted without overflow")
  func hugeFileSystem() {
    #expect(FileSystem.isNearlyFull(blocks: 255, blockBytes: 4096))
    #expect(!FileSystem.isNearlyFull(blocks: 256, blockBytes: 4096))
    #expect(!FileSystem.isNearlyFull(blocks: .max, blockBytes: 4096))
  }
}
