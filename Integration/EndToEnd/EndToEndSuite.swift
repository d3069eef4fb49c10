import Foundation
import ZeroClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Checks of clients against a running server with the issue tracker's tables, queries and mutators.
@MainActor public final class EndToEndSuite {
  /// What the checks need to know.
  public struct Setup: Sendable {
    /// Base URL of zero-cache or the development server.
    public var url: String
    /// Where `POST` of `{"do": "revokeToken", "token": …}` and `restoreToken` goes; nil leaves out
    /// the checks that need it.
    public var controlURL: String?
    /// Tokens of the users u1 and u2, and another of u1.
    public var token1 = "token-u1"
    public var token2 = "token-u2"
    public var renewedToken1 = "token-u1-renewed"
    /// An existing project, and its label.
    public var project = "p1"
    public var label = "l1"
    /// A folder for the clients' files, which the checks may fill.
    public var directory: String

    public init(url: String, directory: String) {
      self.url = url
      self.directory = directory
    }
  }

  /// One check.
  public struct Check: Sendable {
    public let name: String
    let needsControl: Bool
    /// - Returns: a figure to show, or nothing.
    let run: @MainActor (EndToEndSuite) async throws -> String?
  }

  /// What came of a check.
  public enum Outcome: Sendable {
    case passed(String?)
    case failed(String)
    case skipped(String)
  }

  public let setup: Setup
  /// Starts the IDs that this run makes, so that runs do not meet.
  let run: String
  private var made = 0

  public init(_ setup: Setup) {
    self.setup = setup
    run = "e2e" + String(UInt32.random(in: 0 ... .max), radix: 36)
  }

  /// Runs all checks, one after the other, and reports each as it ends.
  /// - Returns: whether none failed.
  public func runAll(
    matching filter: String? = nil, report: (Check, Outcome, Duration) -> Void
  ) async -> Bool {
    var areAllRight = true
    let clock = ContinuousClock()
    for check in Self.checks where filter.map({ check.name.contains($0) }) ?? true {
      if check.needsControl, setup.controlURL == nil {
        report(check, .skipped("no control URL"), .zero)
        continue
      }
      let start = clock.now
      do {
        let figure = try await check.run(self)
        report(check, .passed(figure), clock.now - start)
      } catch {
        areAllRight = false
        report(check, .failed("\(error)"), clock.now - start)
      }
    }
    return areAllRight
  }

  // MARK: -

  /// An ID that nothing has yet.
  func newID() -> String {
    made += 1
    return "\(run)-\(made)"
  }

  /// A UUID, for the key of comments.
  func newUUID() -> String { UUID().uuidString.lowercased() }

  func client1(
    storage: ClientStorage = .memory, key: String = "", token: String? = nil, isOnline: Bool = true
  ) async throws -> TestClient {
    let client = try TestClient(
      url: setup.url, userID: "u1", token: token ?? setup.token1, storage: storage,
      directory: setup.directory, storageKey: key.isEmpty ? newID() : key, isOnline: isOnline)
    // Known as soon as storage is open, from when on mutations show when they are called.
    _ = try await client.zero.clientGroupID.value
    return client
  }

  func client2() async throws -> TestClient {
    let client = try TestClient(
      url: setup.url, userID: "u2", token: setup.token2, directory: setup.directory,
      storageKey: newID())
    _ = try await client.zero.clientGroupID.value
    return client
  }

  /// Sends a command to the control URL.
  func control(_ command: [String: String]) async throws {
    guard let text = setup.controlURL, let url = URL(string: text) else { return }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = try JSONSerialization.data(withJSONObject: command)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let (_, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    try expect(status == 200, "the control URL answers 200, not \(status)")
  }
}
