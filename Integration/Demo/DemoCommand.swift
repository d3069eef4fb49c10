import Convergence
import EndToEnd
import Foundation
import TerminalTracker

/// demo: tells its story and ends with status 1 if something is not as it should be.
@main @MainActor struct DemoCommand {
  static func main() async {
    let executables = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "zero-demo-\(ProcessInfo.processInfo.processIdentifier)").path
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments.first == "victim" {
        return try await Victim.main(Array(arguments.dropFirst()))
      }
      defer { try? FileManager.default.removeItem(atPath: directory) }
      if arguments.first == "--interactive" {
        return try await interactive(arguments.dropFirst().first, executables, directory)
      }
      guard arguments.isEmpty else {
        throw CheckFailure("usage: demo, or demo --interactive [URL]")
      }
      let start = ContinuousClock().now
      try await Demo(executables: executables, directory: directory, issues: 5000).run()
      let seconds = (ContinuousClock().now - start).components.seconds
      FileHandle.standardOutput.write(
        Data("\nEverything was as it should be, in \(seconds) s.\n".utf8))
    } catch {
      FileHandle.standardError.write(Data("demo: \(error)\n".utf8))
      exit(1)
    }
  }

  /// The issue tracker in the terminal, on a server of its own unless there is a URL.
  private static func interactive(
    _ url: String?, _ executables: String, _ directory: String
  ) async throws {
    var url = url
    var server: ChildProcess?
    if url == nil {
      let process = try ChildProcess(
        "\(executables)/zero-dev-server", ["--port", "0", "--issues", "5000"])
      let line = try await process.line()
      url = line.split(separator: " ").last.map(String.init)
      server = process
    }
    let tracker = try TerminalTracker(
      url: url ?? "", userID: "u1", token: "token-u1", directory: "\(directory)/tracker")
    await tracker.run()
    try await server?.kill()
  }
}
