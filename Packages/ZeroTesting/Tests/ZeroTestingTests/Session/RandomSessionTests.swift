import Foundation
import Testing
import ZeroContracts

/// Random sessions of a client with a server and a network that fail; see ``RandomSession``.
@MainActor @Suite("Random sessions") struct RandomSessionTests {
  /// Sessions per store: 4, or what `ZERO_SESSIONS` says.
  private static var count: Int {
    ProcessInfo.processInfo.environment["ZERO_SESSIONS"].flatMap { Int($0) } ?? 4
  }

  @Test(
    "views are always what the server's rows and the pending mutations come to, and nothing is lost",
    arguments: SessionStore.allCases)
  func run(_ store: SessionStore) throws {
    for number in 0..<UInt64(Self.count) {
      let seed = TestSeed.value &+ number
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let session = try RandomSession(storage: store.provider(in: folder), seed: seed)
      do {
        try session.run(steps: 150)
      } catch {
        Issue.record(
          "\(store.rawValue), seed \(seed): \(error)\n\(session.log.suffix(60))")
        return
      }
    }
  }
}
