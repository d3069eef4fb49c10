import Foundation
import Synchronization

/// A child process that a test talks to in lines.
public final class WorkerProcess: Sendable {
  /// How a process ended.
  public enum End: Equatable, Sendable {
    case exited(Int32)
    case killed(Int32)
  }

  /// Number of the process.
  public let pid: Int32
  private let input: Int32
  private let output: Int32
  private let state = Mutex(State())

  private struct State {
    var unread: [UInt8] = []
    var end: End?
  }

  /// Held while pipes are made and a child is started, so that no child inherits another's pipes.
  private static let starting = Mutex(())

  /// Starts the worker of a backend, which was built beside the running tests.
  public convenience init(worker: String, arguments: [String]) throws {
    try self.init([Self.path(of: worker)] + arguments)
  }

  /// Starts `arguments[0]`, searched for in the path if it has no slash.
  init(_ arguments: [String]) throws {
    var child: pid_t = 0
    var ends: (input: Int32, output: Int32) = (-1, -1)
    let code = Self.starting.withLock { _ in Self.spawn(arguments, &child, &ends) }
    guard code == 0 else {
      throw StoreContract.Violation(
        message: "cannot start \(arguments[0]): \(String(cString: strerror(code)))")
    }
    pid = child
    (input, output) = ends
  }

  deinit {
    if state.withLock({ $0.end == nil }) { killNow() }
    close(input)
    close(output)
  }

  /// The next line the process printed, or nil when it has ended. Waits for it.
  public func readLine() -> String? {
    state.withLock { state in
      while true {
        if let newline = state.unread.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: state.unread[..<newline], as: UTF8.self)
          state.unread.removeSubrange(...newline)
          return line
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(output, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return nil }
        state.unread += buffer[..<count]
      }
    }
  }

  /// - Throws: a violation unless the next line is `expected`.
  public func expect(_ expected: String) throws {
    let line = readLine()
    try require(
      line == expected, "the worker said \"\(line ?? "nothing")\" instead of \"\(expected)\"")
  }

  /// Sends a line.
  public func send(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(input, bytes, bytes.count)
  }

  /// Ends it without giving it a chance, and waits until it is gone.
  public func killNow() {
    kill(pid, SIGKILL)
    _ = wait()
  }

  /// Waits until it has ended.
  @discardableResult
  public func wait() -> End {
    state.withLock { state in
      if let end = state.end { return end }
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      let end: End = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
      state.end = end
      return end
    }
  }

  /// Whether `arguments` can be run and end well.
  static func succeeds(_ arguments: [String]) -> Bool {
    guard let process = try? WorkerProcess(arguments) else { return false }
    while process.readLine() != nil {}
    return process.wait() == .exited(0)
  }

  /// The path of an executable that was built beside the running tests.
  static func path(of executable: String) throws -> String {
    var folders: [String] = []
    if let bundle = CommandLine.arguments.drop(while: { $0 != "--test-bundle-path" }).dropFirst()
      .first, let end = bundle.range(of: ".xctest")
    {
      folders.append((String(bundle[..<end.lowerBound]) as NSString).deletingLastPathComponent)
    }
    folders.append(Bundle.main.bundlePath)
    if let own = Bundle.main.executablePath {
      folders.append((own as NSString).deletingLastPathComponent)
    }
    for folder in folders {
      let path = folder + "/" + executable
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw StoreContract.Violation(
      message: "the worker \(executable) is not beside the tests; let the test target depend on it")
  }

  // MARK: -

  private static func spawn(
    _ arguments: [String], _ child: inout pid_t, _ ends: inout (input: Int32, output: Int32)
  ) -> Int32 {
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    guard pipe(&toChild) == 0 else { return errno }
    guard pipe(&fromChild) == 0 else {
      let code = errno
      toChild.forEach { close($0) }
      return code
    }
    for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    var argv = arguments.map { strdup($0) } + [nil]
    defer { argv.forEach { free($0) } }
    let code = posix_spawnp(&child, arguments[0], &actions, nil, &argv, environ)
    close(toChild[0])
    close(fromChild[1])
    guard code == 0 else {
      close(toChild[1])
      close(fromChild[0])
      return code
    }
    ends = (toChild[1], fromChild[0])
    return 0
  }
}
