import ZeroClient

/// What a client logged, by level and message.
final class RecordedLog: LogSink {
  @MainActor private(set) var records: [LogRecord] = []

  func log(_ record: LogRecord) { records.append(record) }

  @MainActor var errors: [String] { records.filter { $0.level == .error }.map(\.message) }
}
