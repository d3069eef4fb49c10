import Testing
import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol

/// Clients that come and go on files, with storage on threads of its own.
@MainActor @Suite("Users that switch quickly") struct SwitchingTests {
  @Test(
    "each finds all that was stored for them, however the client before ended",
    arguments: SessionStore.allCases)
  func switching(_ store: SessionStore) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let storage = store.provider(in: folder)
    let users = ["ann", "bob", "\u{0}/../\u{E9}😀", String(repeating: "long", count: 1_000)]
    var random = SessionRandom(TestSeed.value)
    var handles: [String: [ZeroClient.Mutation]] = [:]
    for round in 0..<40 {
      let user = random.pick(users)
      var zero: Zero<Void>? = try Self.makeZero(user, storage)
      if random.below(2) == 0 { _ = try await zero?.clientGroupID.value }
      for number in 0..<random.below(4) {
        let step = SessionStep(
          kind: .upsert, id: "\(round)-\(number)", other: user, number: 0, text: nil)
        if let handle = zero?.mutate(SessionMutators.request(step)) {
          handles[user, default: []].append(handle)
        }
      }
      switch random.below(4) {
      case 0: _ = try await zero?.close().value
      case 1: zero?.close()
      case 2: try await zero?.pending.flush(until: .stored).value
      default: break
      }
      zero = nil
    }
    for user in users {
      let zero = try Self.makeZero(user, storage)
      _ = try await zero.clientGroupID.value
      var stored = 0
      for handle in handles[user] ?? [] {
        if case .success = await Result(awaiting: { try await handle.persisted.value }) {
          stored += 1
        }
        _ = try await handle.client.value
        _ = try await handle.server.value
      }
      #expect(zero.pending.count == stored, "\(user.prefix(9))")
      #expect(!zero.diagnostics().isStoreInMemory)
      let report = try await zero.delete().value
      #expect(report.errors.isEmpty && report.deleted.count == 1)
    }
  }

  /// A client without a server.
  private static func makeZero(_ user: String, _ storage: any StoreProvider) throws -> Zero<Void> {
    var options = ZeroOptions(storage: storage)
    options.onStorageFailure = { Issue.record($0) }
    return try Zero(
      schema: ZeroSchema(tables: [Item.table, Note.table]), userID: user, context: (),
      mutators: SessionMutators.all, options: options)
  }
}

extension Result where Failure == any Error {
  /// What comes of waiting for `value`.
  @MainActor fileprivate init(awaiting value: @MainActor () async throws -> Success) async {
    do { self = .success(try await value()) } catch { self = .failure(error) }
  }
}
