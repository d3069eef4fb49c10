import EndToEnd
import Foundation
import Synchronization

/// A process whose lines of output are read as they come.
@MainActor public final class ChildProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let lines = LineBuffer()

  public var isRunning: Bool { process.isRunning }

  /// Starts the program at `path`.
  public init(_ path: String, _ arguments: [String]) throws {
    // Writing to a process that has ended is an error, which shows in what it does not say.
    signal(SIGPIPE, SIG_IGN)
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    output.fileHandleForReading.readabilityHandler = { [lines] handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      lines.append([UInt8](data))
    }
    try process.run()
  }

  /// Sends a line.
  public func send(_ line: String) {
    guard process.isRunning else { return }
    try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// The next line.
  /// - Throws: `CheckFailure` when none comes in time.
  public func line(within seconds: Double = 300) async throws -> String {
    var found: String?
    try await eventually("process \(process.processIdentifier) says something", within: seconds) {
      found = lines.next()
      return found != nil
    }
    return found ?? ""
  }

  /// Ends the process as a crash does, and waits until it is gone.
  public func kill() async throws {
    Foundation.kill(process.processIdentifier, SIGKILL)
    try await eventually("process \(process.processIdentifier) is gone") { !process.isRunning }
  }
}

/// Bytes that become lines.
private final class LineBuffer: Sendable {
  private let state = Mutex<(rest: [UInt8], lines: [String])>(([], []))

  func append(_ bytes: [UInt8]) {
    state.withLock { state in
      state.rest += bytes
      while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
        state.lines.append(String(decoding: state.rest[..<end], as: UTF8.self))
        state.rest.removeSubrange(...end)
      }
    }
  }

  func next() -> String? {
    state.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() }
  }
}
