import Foundation

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
}
