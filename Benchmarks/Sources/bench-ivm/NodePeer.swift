import BenchKit
import Foundation

/// The JavaScript that runs beside ours, in one process of Node for all benchmarks.
enum NodePeer {
  /// Starts it. Nil if there is no Node on the PATH.
  static func start() -> ExternalProgram? {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("peers.mjs").path
    return ExternalProgram("node", [script])
  }

  /// A list of values as JSON without spaces between them.
  static func json(_ values: [String]) -> String { "[\(values.joined(separator: ","))]" }
}
