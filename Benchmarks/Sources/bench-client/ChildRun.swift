import Foundation

/// This executable in a process of its own: for code that is cold, and for memory of nothing else.
enum ChildRun {
  static let argument = "--child"

  /// Runs the child and gives the numbers that it printed.
  /// - Throws: ``BenchFailure`` if it ended with an error.
  static func numbers(_ arguments: String...) throws -> [Double] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [argument] + arguments
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard process.terminationStatus == 0, !numbers.isEmpty else {
      throw BenchFailure("the child \(arguments.joined(separator: " ")) failed: \(text)")
    }
    return numbers
  }
}
