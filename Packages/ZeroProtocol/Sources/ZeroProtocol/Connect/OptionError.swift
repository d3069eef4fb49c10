/// An option of the client that cannot be used.
public struct OptionError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. New kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Base: String, Hashable, Sendable { case invalidURL, invalidIdentity, invalidDelay }
    private let base: Base
    private init(_ base: Base) { self.base = base }

    /// The server's URL cannot be used.
    public static let invalidURL = Self(.invalidURL)
    /// User and token do not go together.
    public static let invalidIdentity = Self(.invalidIdentity)
    /// A negative time.
    public static let invalidDelay = Self(.invalidDelay)

    public var description: String { base.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// The option's name.
  public let option: String
  /// What is wrong with it, and what would be right.
  public let message: String

  public init(_ code: Code, option: String, _ message: String) {
    self.code = code
    self.option = option
    self.message = message
  }

  public var description: String { "ZeroOptions.\(option) \(message)" }
}

/// Rules for options that go to the server.
public enum OptionRules {
  /// Checks that user and token go together: a user is not empty, and a token needs a user. An empty
  /// token is none.
  /// - Throws: `invalidIdentity`.
  public static func checkIdentity(userID: String?, auth: String?) throws(OptionError) {
    if let userID, userID.isEmpty {
      throw OptionError(
        .invalidIdentity, option: "userID",
        "should not be empty. Omit it entirely for logged-out clients.")
    }
    if userID == nil, let auth, !auth.isEmpty {
      throw OptionError(
        .invalidIdentity, option: "userID", "is required when auth is set.")
    }
  }

  /// Checks that a time is not negative.
  /// - Throws: `invalidDelay`.
  public static func checkDelay(
    milliseconds: Double, option: String
  ) throws(OptionError) {
    guard milliseconds < 0 else { return }
    throw OptionError(.invalidDelay, option: option, "must not be negative.")
  }
}
