import Foundation

/// A program that waits for lines of commands and answers each with the seconds its work took.
///
/// It is started once, so that its rounds alternate with ours without its start being measured.
public final class ExternalProgram {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts `command`, found on the PATH. Nil if it is not there.
  public init?(_ command: String, _ arguments: [String]) {
    guard let path = Self.find(command) else { return nil }
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    do { try process.run() } catch { return nil }
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Sends one command line and reads the answer.
  public func ask(_ line: String) throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    var answer = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), let first = byte.first {
      if first == UInt8(ascii: "\n") { return String(decoding: answer, as: UTF8.self) }
      answer.append(byte)
    }
    throw ExternalProgramFailure(command: line)
  }

  /// A contender whose work the program does on `line`.
  public func contender(_ name: String, _ line: String) -> Contender {
    Contender(
      name,
      measured: {
        guard let seconds = Double(try self.ask(line)) else {
          throw ExternalProgramFailure(command: line)
        }
        return seconds
      })
  }

  /// The path of a command on the PATH.
  public static func find(_ command: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(command)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

/// An external program ended or gave no number of seconds.
public struct ExternalProgramFailure: Error {
  public let command: String
}
