import Dispatch
import Foundation
import ZeroDevServer
import ZeroDevServerHost
import ZeroIVM
import ZeroProtocol

/// The development server with the issues of the workloads, in a process of its own.
@MainActor final class BenchServer {
  /// Stands for the user of all clients.
  static let token = "token"

  /// Where clients connect.
  let url: String
  private let process = Process()
  private let input = Pipe()

  /// Starts it and waits until it listens.
  init(_ data: IssueData) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [ChildRun.argument, "server", "\(data.issueCount)"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchFailure("the development server did not start")
    }
    url = "http://127.0.0.1:\(port)"
  }

  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Serves until standard input ends.
  static func child(_ data: IssueData) async throws {
    let server = DevServer(
      schema: try DatabaseSchema(IssueData.schema), registry: registry,
      tokens: TokenList([token: "bench"]), scheduler: MainQueueScheduler())
    try server.load([("issue", (0..<data.issueCount).map { data.issue($0) })])
    let host = try DevServerHost(server)
    print(host.port)
    fflush(nil)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while readLine() != nil {}
        continuation.resume()
      }
    }
    host.stop()
  }

  // MARK: -

  private static var registry: ServerRegistry {
    var registry = ServerRegistry()
    // A server is given the first argument of a query only.
    registry.query("list") { priority, _ in
      guard case .number(let priority)? = priority else {
        throw BenchFailure("list takes a priority")
      }
      return try BenchQueries.list(Int(priority), WriteTrial.listLimit).ast
    }
    registry.mutator("issue.edit") { transaction, arguments, _ in
      guard case .object(let edit)? = arguments else { throw BenchFailure("an edit is an object") }
      try transaction.update("issue", edit)
    }
    return registry
  }
}
