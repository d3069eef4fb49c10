import Testing
@_spi(Engine) import ZeroClient
import ZeroProtocol

@Suite struct ConnectionStateMachineTests {
  private let lost = ZeroError.client(ClientError(.abruptClose, "lost"))
  private let hidden = ZeroError.client(ClientError(.hidden, "hidden"))

  @Test("an attempt that fails inside the retry window keeps the window's end")
  func windowEndStays() {
    var machine = ConnectionStateMachine(disconnectTimeout: 5000, at: 100)
    #expect(machine.connecting(at: 100) == [.publish])
    #expect(machine.connecting(reason: lost, at: 2000) == [.publish])
    guard case .connecting(let attempt) = machine.state else {
      Issue.record("the state is \(machine.state)")
      return
    }
    #expect(attempt.number == 2)
    #expect(attempt.disconnectAt == 5100)
    #expect(attempt.reason?.clientKind == .abruptClose)
  }

  @Test("the retry window of a lost connection begins when it is lost")
  func windowRestarts() {
    var machine = ConnectionStateMachine(disconnectTimeout: 5000, at: 0)
    #expect(machine.connected() == [.stopWindowCheck, .publish])
    #expect(machine.connecting(reason: lost, at: 7000) == [.startWindowCheck, .publish])
    #expect(machine.checkWindow(at: 11_999) == [])
    #expect(machine.checkWindow(at: 12_000) == [.stopWindowCheck, .publish])
    #expect(machine.state.reason?.isOffline == true)
  }

  @Test("attempts after the retry window are not published until one succeeds")
  func offlineStays() {
    var machine = ConnectionStateMachine(disconnectTimeout: 1000, at: 0)
    _ = machine.checkWindow(at: 1000)
    #expect(machine.connecting(at: 2000) == [])
    #expect(machine.connected() == [.stopWindowCheck, .publish])
  }

  @Test("coming back into sight begins a new retry window")
  func hiddenResumes() {
    var machine = ConnectionStateMachine(disconnectTimeout: 1000, at: 0)
    _ = machine.disconnected(hidden)
    #expect(machine.connecting(at: 9000) == [.startWindowCheck, .publish])
    guard case .connecting(let attempt) = machine.state else {
      Issue.record("the state is \(machine.state)")
      return
    }
    #expect(attempt.number == 1)
    #expect(attempt.disconnectAt == 10_000)
  }

  @Test("a request to connect is kept until something is paused, and used once")
  func requestIsKept() {
    var machine = ConnectionStateMachine(disconnectTimeout: 1000, at: 0)
    machine.requestConnect()
    #expect(machine.resume(at: 1) == nil)
    _ = machine.error(lost)
    #expect(machine.resume(at: 2) == [.startWindowCheck, .publish])
    _ = machine.error(lost)
    #expect(machine.resume(at: 3) == nil)
  }

  @Test("nothing follows after the end")
  func closedIsFinal() {
    var machine = ConnectionStateMachine(disconnectTimeout: 1000, at: 0)
    #expect(machine.closed() == [.stopWindowCheck, .publish, .dropListeners])
    machine.requestConnect()
    #expect(machine.closed() == [])
    #expect(machine.connecting(at: 1) == [])
    #expect(machine.connected() == [])
    #expect(machine.disconnected(lost) == [])
    #expect(machine.needsAuth(lost) == [])
    #expect(machine.error(lost) == [])
    #expect(machine.checkWindow(at: 5000) == [])
    #expect(machine.resume(at: 1) == nil)
    #expect(!machine.isRunning)
  }

  @Test(
    "who refused the credentials is told with status and body",
    arguments: [
      (ServerError.Kind.pushFailed, NeedsAuthReason.mutate(status: 401, body: "no")),
      (.transformFailed, .query(status: 401, body: "no")),
      (.unauthorized, .zeroCache(reason: "who?")),
    ])
  func needsAuthReason(kind: ServerError.Kind, expected: NeedsAuthReason) {
    let failure = EndpointFailure(.http, status: 401, bodyPreview: "no")
    let payload: ServerError.Payload =
      switch kind {
      case .pushFailed: .push(failure, mutationIDs: [])
      case .transformFailed: .transform(failure, queryIDs: [])
      default: .basic
      }
    let error = ServerError(kind, message: "who?", origin: .zeroCache, payload: payload)
    #expect(NeedsAuthReason(.server(error)) == expected)
  }
}
