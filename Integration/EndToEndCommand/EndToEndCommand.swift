import EndToEnd
import Foundation

/// zero-e2e: checks clients against a running server.
@main @MainActor struct EndToEndCommand {
  static let usage = """
    usage: zero-e2e --url URL [options]

      --url URL          base URL of zero-cache or the development server
      --control URL      takes POST {"do": "revokeToken" | "restoreToken", "token": …}
      --token1 TOKEN     of the user u1 (token-u1)
      --token2 TOKEN     of the user u2 (token-u2)
      --renewed TOKEN    another of u1 (token-u1-renewed)
      --project ID       a project to put issues in (p1)
      --only TEXT        only checks whose name contains it
      --directory PATH   for the clients' files; a temporary folder without it
      --list             the checks

    Ends with status 1 if a check fails.
    """

  static func main() async {
    var values: [String: String] = [:]
    var rest = CommandLine.arguments.dropFirst()
    if rest.first == "worker" { return await Worker.main(Array(rest.dropFirst())) }
    while let option = rest.popFirst() {
      switch option {
      case "--help":
        print(usage)
        exit(0)
      case "--list":
        for check in EndToEndSuite.checks { print(check.name) }
        exit(0)
      case "--url", "--control", "--token1", "--token2", "--renewed", "--project", "--only",
        "--directory":
        guard let value = rest.popFirst() else { fail("\(option) needs a value") }
        values[option] = value
      default: fail("unknown option \(option)")
      }
    }
    guard let url = values["--url"] else { fail("--url is missing") }
    let directory =
      values["--directory"]
      ?? FileManager.default.temporaryDirectory.appending(
        path: "zero-e2e-\(ProcessInfo.processInfo.processIdentifier)"
      ).path
    defer {
      if values["--directory"] == nil { try? FileManager.default.removeItem(atPath: directory) }
    }
    var setup = EndToEndSuite.Setup(url: url, directory: directory)
    setup.controlURL = values["--control"]
    setup.token1 = values["--token1"] ?? setup.token1
    setup.token2 = values["--token2"] ?? setup.token2
    setup.renewedToken1 = values["--renewed"] ?? setup.renewedToken1
    setup.project = values["--project"] ?? setup.project
    let isFine = await EndToEndSuite(setup).runAll(matching: values["--only"], report: report)
    print(isFine ? "all checks passed" : "some checks failed")
    if !isFine { exit(1) }
  }

  private static func report(
    _ check: EndToEndSuite.Check, _ outcome: EndToEndSuite.Outcome, _ took: Duration
  ) {
    let name = check.name.padding(toLength: 62, withPad: " ", startingAt: 0)
    let seconds = Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
    let time = "\((seconds * 100).rounded() / 100) s"
      .padding(toLength: 9, withPad: " ", startingAt: 0)
    let line =
      switch outcome {
      case .passed(let figure): "ok    \(name) \(time) \(figure ?? "")"
      case .failed(let reason): "FAIL  \(name) \(time) \(reason)"
      case .skipped(let reason): "skip  \(name) \(time) \(reason)"
      }
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("zero-e2e: \(message)\n\n\(usage)\n".utf8))
    exit(2)
  }
}
