import Foundation
import Testing
import ZeroContracts

/// Random sessions of a client with a server and a network that fail; see ``RandomSession``.
@MainActor @Suite("Random sessions") struct RandomSessionTests {
  /// Sessions per store: 4, or what `ZERO_SESSIONS` says.
  private static var count: Int {
    ProcessInfo.processInfo.environment["ZERO_SESSIONS"].flatMap { Int($0) } ?? 4
  }
  /// The first seed, or what `ZERO_SEED` says.
  private static var seed: UInt64 {
    ProcessInfo.processInfo.environment["ZERO_SEED"].flatMap { UInt64($0) }
      ?? UInt64.random(in: 1...1_000_000_000)
  }

  @Test(
    "views are always what the server's rows and the pending mutations come to, and nothing is lost",
    arguments: SessionStore.allCases)
  func run(_ store: SessionStore) throws {
    let first = Self.seed
    print("\(store.rawValue): seed \(first)")
    for seed in first..<(first + UInt64(Self.count)) {
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
