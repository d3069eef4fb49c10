import Synchronization
import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreLMDB
import ZeroStoreSQLite
import ZeroVectors

/// The client behaves the same whatever it stores on.
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
    let number = Atomic<Int>(0)
    let runners = clientScenarioRunners {
      let folder = root.path + "/\(number.add(1, ordering: .relaxed).newValue)"
      switch backend {
      case .sqlite: return SQLiteStoreProvider(directory: folder)
      case .lmdb: return LMDBStoreProvider(directory: folder)
      }
    }
    let suite = Self.vectors
    for file in try suite.files([.client]) {
      let runner = try #require(runners[file.name], "no runner for \(file)")
      let vectors = try VectorFile(file.name, .client, folder: suite.folder + "/client")
      let result = await runner.run(vectors)
      #expect(result.isGood, "\(backend.rawValue): \(result.failures())")
      #expect(result.passed + result.excepted.count == result.cases)
    }
  }
}

extension String {
  /// What stands before `marker`.
  fileprivate func components(upTo marker: String) -> String {
    firstRange(of: marker).map { String(self[..<$0.lowerBound]) } ?? self
  }
}
