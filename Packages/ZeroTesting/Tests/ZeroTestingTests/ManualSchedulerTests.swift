import Testing
import ZeroContracts
import ZeroProtocol

@MainActor struct ManualSchedulerTests {
  @Test("timers fire by deadline, those of equal deadline in arming order")
  func order() {
    let scheduler = ManualScheduler()
    var fired: [String] = []
    _ = scheduler.after(.milliseconds(20)) { fired.append("late") }
    _ = scheduler.after(.milliseconds(10)) { fired.append("first") }
    _ = scheduler.after(.milliseconds(10)) { fired.append("second") }
    scheduler.advance(by: .milliseconds(19))
    #expect(fired == ["first", "second"])
    scheduler.advance(by: .milliseconds(1))
    #expect(fired == ["first", "second", "late"])
  }

  @Test("a repeating timer is re-armed from its nominal time")
  func repeating() {
    let scheduler = ManualScheduler()
    var times: [Double] = []
    let timer = scheduler.every(.milliseconds(10)) { times.append(scheduler.monotonicTime) }
    scheduler.advance(by: .milliseconds(35))
    #expect(times == [10, 20, 30])
    timer.cancel()
    scheduler.advance(by: .milliseconds(100))
    #expect(times.count == 3)
    #expect(scheduler.armedCount == 0)
  }

  @Test("a timer armed inside an action fires in the same advance if it is due")
  func nested() {
    let scheduler = ManualScheduler()
    var fired = 0
    _ = scheduler.after(.milliseconds(5)) {
      _ = scheduler.after(.zero) { fired += 1 }
    }
    scheduler.advance(by: .milliseconds(5))
    #expect(fired == 1)
  }
}
