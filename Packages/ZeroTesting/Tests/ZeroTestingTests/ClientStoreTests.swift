import Synchronization
import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreLMDB
import ZeroStoreSQLite
import ZeroVectors

/// The client behaves the same whatever it stores on; the memory store is that of the vectors' own run.
@Suite("Client scenarios on file stores") struct ClientStoreTests {
  enum Backend: String, CaseIterable, Sendable { case sqlite, lmdb }

  private static var vectors: VectorSuite {
    let file = #filePath
    let package = file.components(upTo: "/Packages/ZeroTesting/")
    return VectorSuite(folder: package + "/Tests/Conformance/Vectors")
  }

  @Test("every scenario comes out as recorded", arguments: Backend.allCases)
  func scenarios(_ backend: Backend) async throws {
    let root = try TemporaryFolder()
    defer { root.remove() }
    let runners = clientScenarioRunners(makeStorage: Self.storage(backend, in: root))
    let suite = Self.vectors
    for file in try suite.files([.client]) {
      let runner = try #require(runners[file.name], "no runner for \(file)")
      let vectors = try VectorFile(file.name, .client, folder: suite.folder + "/client")
      let result = await runner.run(vectors)
      #expect(result.isGood, "\(backend.rawValue): \(result.failures())")
      #expect(result.passed + result.excepted.count == result.cases)
    }
  }

  @Test("every recorded flow comes out as recorded", arguments: Backend.allCases)
  func transcripts(_ backend: Backend) async throws {
    let root = try TemporaryFolder()
    defer { root.remove() }
    let runner = transcriptReplayRunner(makeStorage: Self.storage(backend, in: root))
    let suite = Self.vectors
    for file in try suite.files([.transcripts]) {
      let vectors = try VectorFile(file.name, .transcripts, folder: suite.folder + "/transcripts")
      let result = await runner.run(vectors)
      #expect(result.isGood, "\(backend.rawValue): \(result.failures())")
      #expect(result.passed == result.cases)
    }
  }

  /// Storage in a new folder at each call.
  private static func storage(
    _ backend: Backend, in root: TemporaryFolder
  ) -> @Sendable () throws -> any StoreProvider {
    let number = Counter()
    return {
      let folder = root.path + "/\(number.next())"
      return switch backend {
      case .sqlite: SQLiteStoreProvider(directory: folder)
      case .lmdb: LMDBStoreProvider(directory: folder)
      }
    }
  }
}

/// Counts from 1.
private final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

extension String {
  /// What stands before `marker`.
  fileprivate func components(upTo marker: String) -> String {
    firstRange(of: marker).map { String(self[..<$0.lowerBound]) } ?? self
  }
}
