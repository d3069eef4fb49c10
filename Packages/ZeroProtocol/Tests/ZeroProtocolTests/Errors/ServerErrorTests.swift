import Testing
import ZeroProtocol

@Suite struct ServerErrorTests {
  @Test(
    "the delay before the next attempt is raised to the minimum, then lowered to the maximum",
    arguments: [
      (nil, nil, 5000), (100, nil, 5000), (7000, nil, 7000), (nil, 200, 200), (7000, 200, 200),
    ] as [(Double?, Double?, Double)])
  func backoffDelay(min: Double?, max: Double?, expected: Double) {
    let backoff = ServerError.Backoff(minBackoffMs: min, maxBackoffMs: max)
    #expect(backoff.delay(standard: 5000) == expected)
  }

  @Test("an error without origin is not taken for a server error")
  func withoutOrigin() {
    let error = ZeroError(ServerError(.unauthorized, message: "who?", origin: nil))
    #expect(error.clientKind == .internal)
    #expect(error.transition == .error)
    #expect(error.message.contains("who?"))
    #expect((error as ZeroError).needsAuth == false)
  }

  @Test("a kind that asks for patience is retried even without figures")
  func backoffWithoutPayload() {
    let error = ZeroError(ServerError(.serverOverloaded, message: "", origin: .zeroCache))
    #expect(error.transition == .keepConnecting)
    #expect(error.backoff == ServerError.Backoff())
  }

  @Test("only the endpoint's 401 and 403 ask for a new token", arguments: [400, 401, 403, 404])
  func authStatus(status: Double) {
    let error = ServerError(
      .pushFailed, message: "", origin: .zeroCache,
      payload: .push(EndpointFailure(.http, status: status), mutationIDs: []))
    #expect(error.needsAuth == (status == 401 || status == 403))
  }

  @Test("an error of the app's code keeps its words, and the name of its type")
  func wrapping() {
    struct Broken: Error, CustomStringConvertible { var description: String { "it broke" } }
    let wrapped = ApplicationError(wrapping: Broken())
    #expect(wrapped.message == "it broke")
    #expect(wrapped.details == .object(["name": .string("Broken")]))
    let own = ApplicationError("no", details: .null)
    #expect(ApplicationError(wrapping: own) == own)
  }

  @Test("a chain of causes without words ends")
  func endlessCauses() {
    struct Loop: ApplicationErrorSource {
      var applicationMessage: String { "" }
      var applicationCause: (any Error)? { Loop() }
    }
    #expect(!ApplicationError(wrapping: Loop()).message.isEmpty)
  }
}
