import Testing
import ZeroClient
import ZeroProtocol

/// The option that wraps changes of views, in the hands of apps that use it otherwise than they should.
@MainActor @Suite("Batches of view updates") struct BatchTests {
  /// A client whose views changed, with what it logged.
  private func titles(
    _ batch: @escaping @MainActor @Sendable (@MainActor () -> Void) -> Void
  ) throws -> (shown: [[String]], errors: [String]) {
    let log = RecordedLog()
    let client = try TestClient {
      $0.logSink = log
      $0.batchViewUpdates = batch
    }
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    var shown: [[String]] = []
    view.addListener { shown.append($0.data.map(\.title)) }
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
    return (shown, log.errors)
  }

  private let expected = [[], ["one"], ["one", "two"]]

  @Test("each change of views is wrapped once")
  func wraps() throws {
    final class Count: Sendable { @MainActor var wrapped = 0 }
    let count = Count()
    let result = try titles { apply in
      count.wrapped += 1
      apply()
    }
    #expect(result.shown == expected)
    #expect(result.errors.isEmpty)
    // Opening the storage, the view, the poke, the mutation.
    #expect(count.wrapped == 4)
  }

  @Test("a change whose closure is not called is made all the same, and reported once")
  func forgets() throws {
    let result = try titles { _ in }
    #expect(result.shown == expected)
    #expect(result.errors.count == 1)
    #expect(result.errors.first?.contains("batchViewUpdates") == true)
  }

  @Test("a closure that is called again has no effect")
  func repeats() throws {
    let result = try titles { apply in
      apply()
      apply()
    }
    #expect(result.shown == expected)
    #expect(result.errors.isEmpty)
  }
}
