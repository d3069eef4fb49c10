@_spi(Engine) import ZeroProtocol

/// One attempt to connect, until it succeeded or failed.
@MainActor final class Attempt {
  /// How long an attempt may take.
  static let timeout: Duration = .seconds(10)

  let id: String
  var timer: (any SchedulerTimer)?
  /// The cookie that the connection starts from.
  var cookie: String?
  /// The queries that went into the header; nil if none could.
  var sentPatch: [DesiredQueryOp]?
  /// What happened so far, for the message about a timeout.
  private(set) var notes: [String] = []
  private let finishOnce: @MainActor (ZeroError?) -> Void
  private(set) var isFinished = false

  init(id: String, finish: @escaping @MainActor (ZeroError?) -> Void) {
    self.id = id
    finishOnce = finish
  }

  func note(_ text: String) { notes.append(text) }

  func finish(_ failure: ZeroError?) {
    guard !isFinished else { return }
    isFinished = true
    timer?.cancel()
    timer = nil
    finishOnce(failure)
  }
}
