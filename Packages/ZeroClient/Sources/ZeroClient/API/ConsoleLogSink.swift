#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes log records to the standard error of the process, one per line: level, message, context.
public struct ConsoleLogSink: LogSink {
  /// A sink for standard error.
  public init() {}

  /// Writes one line.
  public func log(_ record: LogRecord) {
    let line = Array((Self.line(record) + "\n").utf8)
    var rest = line[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      // Nobody reads it: there is nowhere to say so.
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }

  // MARK: -

  static func line(_ record: LogRecord) -> String {
    let context = record.context.map { " \($0.key)=\($0.value)" }.joined()
    return "zero \(record.level): \(record.message)\(context)"
  }
}

extension LogSink where Self == ConsoleLogSink {
  /// The sink of clients that are given none: ``ConsoleLogSink``.
  public static var `default`: Self { ConsoleLogSink() }
}
