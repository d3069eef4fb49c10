import BenchKit
import Foundation

/// The clients of other languages, as far as they can be had here.
struct Peers {
  let python: ExternalProgram?
  let node: ExternalProgram?

  init() {
    python = Self.preparePython()
    node = Self.prepareNode()
    if python == nil { print("Python's websockets cannot be installed: no figures of it") }
    if node == nil { print("Node has no WebSocket or is not installed: no figures of it") }
  }

  func contenders(_ command: String) -> [Contender] {
    [python?.contender("Python websockets", command), node?.contender("Node", command)]
      .compactMap { $0 }
  }

  // MARK: -

  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// Installs `websockets` into an environment beside the build products, once.
  private static func preparePython() -> ExternalProgram? {
    let environment = sources.appendingPathComponent("../../.build/python").standardized.path
    let python = environment + "/bin/python3"
    if !succeeds(python, ["-c", "import websockets"]) {
      guard let system = ExternalProgram.find("python3"),
        succeeds(system, ["-m", "venv", environment]),
        succeeds(python, ["-m", "pip", "install", "--quiet", "websockets"])
      else { return nil }
    }
    return ExternalProgram(python: python, sources.appendingPathComponent("peers.py").path)
  }

  private static func prepareNode() -> ExternalProgram? {
    guard let node = ExternalProgram.find("node") else { return nil }
    let script = sources.appendingPathComponent("peers.mjs").path
    let probe = ["-e", "if (typeof WebSocket !== 'function') process.exit(1)"]
    for options in [[], ["--experimental-websocket"]] where succeeds(node, options + probe) {
      return ExternalProgram("node", options + [script])
    }
    return nil
  }

  private static func succeeds(_ path: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}

extension ExternalProgram {
  /// A script for an interpreter that is not on the PATH.
  fileprivate convenience init?(python: String, _ script: String) {
    self.init("env", [python, script])
  }
}
