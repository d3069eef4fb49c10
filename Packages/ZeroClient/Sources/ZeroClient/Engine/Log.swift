/// How important a log record is.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
  case debug, info, warn, error

  /// Less important.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// One thing that happened, for people. Never contains tokens.
public struct LogRecord: Sendable {
  /// How important it is.
  public let level: LogLevel
  /// What the record is about: client, attempt, component.
  public let context: [(key: String, value: String)]
  /// What happened.
  public let message: String
}

/// Where log records go.
public protocol LogSink: Sendable {
  /// Takes a record. Called on the main actor; must return soon.
  @MainActor func log(_ record: LogRecord)
}

/// Records at or above a level, to a sink.
@_spi(Engine) @MainActor public struct Log {
  let sink: (any LogSink)?
  let level: LogLevel
  let context: [(key: String, value: String)]

  /// Records nothing.
  nonisolated public static let none = Log(sink: nil, level: .error)

  nonisolated public init(
    sink: (any LogSink)?, level: LogLevel, context: [(key: String, value: String)] = []
  ) {
    self.sink = sink
    self.level = level
    self.context = context
  }

  func with(_ key: String, _ value: String) -> Log {
    Log(sink: sink, level: level, context: context + [(key, value)])
  }

  func error(_ message: @autoclosure () -> String) { write(.error, message) }
  func warn(_ message: @autoclosure () -> String) { write(.warn, message) }
  func info(_ message: @autoclosure () -> String) { write(.info, message) }
  func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

  private func write(_ level: LogLevel, _ message: () -> String) {
    guard let sink, level >= self.level else { return }
    sink.log(LogRecord(level: level, context: context, message: message()))
  }
}
