public import ZeroProtocol

/// Why a mutator runs.
public enum MutationReason: String, Sendable {
  /// For the first time, when it was called.
  case optimistic
  /// Again, on newer rows of the server.
  case rebase
}

/// A mutator as the engine runs it: a name, and a body over JSON arguments.
@_spi(Engine) public struct MutatorDefinition: Sendable {
  public let name: String
  /// Nil for a mutator that only the server has. Absent arguments are nil.
  public let body: (@MainActor @Sendable (MutatorTransaction, JSONValue?) throws -> Void)?

  public init(
    _ name: String,
    body: (@MainActor @Sendable (MutatorTransaction, JSONValue?) throws -> Void)?
  ) {
    self.name = name
    self.body = body
  }
}

/// The arguments of a query or a mutator were refused by its own validation.
public struct InputValidationError: ApplicationErrorSource, CustomStringConvertible {
  /// One thing that is wrong.
  public struct Issue: Sendable, Equatable {
    public var message: String
    /// Where in the arguments; empty for the whole.
    public var path: [String]

    public init(_ message: String, path: [String] = []) {
      self.message = message
      self.path = path
    }
  }

  /// `query` or `mutator`, and its name.
  public let subject: String
  public let issues: [Issue]

  @_spi(Engine) public init(_ subject: String, issues: [Issue]) {
    self.subject = subject
    self.issues = issues
  }

  public var description: String {
    "Validation failed for \(subject): \(issues.map(\.message).joined(separator: ", "))"
  }

  public var applicationMessage: String { description }

  public var applicationDetails: JSONValue? {
    let issues = issues.map { issue -> JSONValue in
      var members: JSONObject = ["message": .string(issue.message)]
      if !issue.path.isEmpty { members["path"] = .array(issue.path.map { .string($0) }) }
      return .object(members)
    }
    return .object([
      "type": .string("InputValidationError"), "result": .object(["issues": .array(issues)]),
    ])
  }
}

/// Thrown by a `validate` closure: what is wrong with the arguments.
public struct ValidationIssues: Error, Sendable {
  public let issues: [InputValidationError.Issue]

  public init(_ issues: [InputValidationError.Issue]) { self.issues = issues }

  /// One issue about the whole, or about the member that `path` leads to.
  public init(_ message: String, path: [String] = []) { issues = [.init(message, path: path)] }
}
