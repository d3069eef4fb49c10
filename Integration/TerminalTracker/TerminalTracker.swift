import Foundation
import IssueTracker
import IssueTrackerClient
import ZeroClient
import ZeroStoreSQLite
import ZeroTransportCurl

/// The issue tracker in the terminal: a list, an issue, edits and a filter, with what the connection
/// and the pending edits are doing.
///
/// Layers, each knowing only the one below: `Terminal` and `ScreenText` (view), `ScreenModel`,
/// `TrackerEngine`, the client with its store.
@MainActor public final class TerminalTracker {
  private let terminal = Terminal()
  private let model: ScreenModel
  private let engine: TrackerEngine
  private var finish: CheckedContinuation<Void, Never>?

  /// - Parameters:
  ///   - url: of the development server or zero-cache.
  ///   - directory: for the client's rows.
  /// - Throws: what is wrong with the options.
  public init(url: String, userID: String, token: String, directory: String) throws {
    var options = ZeroOptions(
      cacheURL: url, storage: .sqlite(directory: directory), transport: .curl())
    // The terminal is the screen.
    options.logSink = nil
    options.offlineWrites = .queue(limit: 10_000)
    let zero = try Zero(
      schema: .issueTracker, userID: userID, auth: token,
      context: TrackerSession(userID: userID), mutators: TrackerMutators.all, options: options)
    engine = TrackerEngine(zero)
    model = try ScreenModel(engine)
  }

  /// Runs until the user leaves.
  public func run() async {
    model.onChange = { [weak self] in self?.draw() }
    terminal.start { [weak self] bytes in
      for key in Terminal.keys(bytes) { self?.model.press(key) }
    }
    draw()
    await withCheckedContinuation { finish = $0 }
    terminal.stop()
    await engine.close()
  }

  // MARK: -

  private func draw() {
    guard !model.isFinished else {
      finish?.resume()
      finish = nil
      return
    }
    let (columns, rows) = terminal.size
    terminal.show(ScreenText(width: columns, height: rows).lines(model))
  }
}
