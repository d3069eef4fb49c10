import Convergence
import Foundation

/// zero-soak: clients that change the same rows while links fail and processes die, for as long as it
/// is told to.
@main @MainActor struct SoakCommand {
  static let usage = """
    usage: zero-soak [--seconds N] [--seed N] [--clients N]

    Repeats runs of at most a minute, each with the next seed, until the time is over (60 s).
    Ends with status 1 at the first run in which something does not agree, after printing its seed.
    """

  static func main() async {
    var values: [String: Int] = [:]
    var rest = CommandLine.arguments.dropFirst()
    while let option = rest.popFirst() {
      guard ["--seconds", "--seed", "--clients"].contains(option),
        let number = rest.popFirst().flatMap({ Int($0) }), number >= 0
      else {
        print(usage)
        exit(option == "--help" ? 0 : 2)
      }
      values[option] = number
    }
    let executables = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    let clock = ContinuousClock()
    let end = clock.now + .seconds(values["--seconds"] ?? 60)
    var seed = UInt64(values["--seed"] ?? Int.random(in: 1...1_000_000))
    while clock.now < end {
      let left = (end - clock.now).components.seconds
      let directory = FileManager.default.temporaryDirectory
        .appending(path: "zero-soak-\(ProcessInfo.processInfo.processIdentifier)-\(seed)").path
      defer { try? FileManager.default.removeItem(atPath: directory) }
      var setup = ConvergenceRun.Setup(
        seed: seed, extent: .seconds(Double(max(5, min(60, left)))), executables: executables,
        directory: directory)
      setup.clients = values["--clients"] ?? 8
      do {
        let report = try await ConvergenceRun(setup).run()
        say(
          "seed \(seed): \(report.mutations) mutations, \(report.issues) issues, "
            + "\(report.faults) faults, \(report.clientKills) clients and \(report.serverKills) "
            + "servers killed; everything agrees")
      } catch {
        say("seed \(seed): \(error)")
        exit(1)
      }
      seed += 1
    }
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
