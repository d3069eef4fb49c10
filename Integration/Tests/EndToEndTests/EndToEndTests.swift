import Convergence
import EndToEnd
import Foundation
import IssueTracker
import IssueTrackerServer
import Testing
import ZeroDevServer
import ZeroDevServerHost

@MainActor @Suite("clients and server end to end", .serialized) struct EndToEndTests {
  /// An empty folder that is removed in the end.
  private static func withDirectory<Result>(
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "zero-end-to-end-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    return try await body(directory)
  }

  @Test("every check passes against the development server")
  func suite() async throws {
    let server = DevServer(
      schema: try .issueTracker(), registry: .issueTracker, tokens: .issueTracker,
      scheduler: MainQueueScheduler())
    try server.load(try SeedRows.small().tables)
    let host = try DevServerHost(server)
    defer { host.stop() }
    try await Self.withDirectory { directory in
      var setup = EndToEndSuite.Setup(
        url: "http://127.0.0.1:\(host.port)", directory: directory)
      setup.controlURL = "http://127.0.0.1:\(host.port)/control"
      _ = await EndToEndSuite(setup).runAll { check, outcome, _ in
        if case .failed(let reason) = outcome {
          Testing.Issue.record("\(check.name): \(reason)")
        }
      }
    }
  }

  @Test("clients in processes of their own converge while links fail and processes die")
  func convergence() async throws {
    // scripts/soak goes on with others.
    let seed: UInt64 = 1
    let executables = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    try await Self.withDirectory { directory in
      let report = try await ConvergenceRun(
        .init(seed: seed, extent: .steps(600), executables: executables, directory: directory)
      ).run()
      print("\(report)")
      #expect(report.mutations > 0 && report.issues > 0)
    }
  }
}
