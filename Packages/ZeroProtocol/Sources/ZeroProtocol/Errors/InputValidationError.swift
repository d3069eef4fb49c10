/// The arguments of a query or a mutator were refused by its own validation.
public struct InputValidationError: ApplicationErrorSource, CustomStringConvertible {
  /// One thing that is wrong.
  public struct Issue: Sendable, Equatable {
    /// What is wrong, for people.
    public var message: String
    /// Where in the arguments; empty for the whole.
    public var path: [String]

    /// An issue about the whole, or about the member that `path` leads to.
    public init(_ message: String, path: [String] = []) {
      self.message = message
      self.path = path
    }
  }

  /// `query` or `mutator`, and its name.
  public let subject: String
  /// What is wrong, one by one.
  public let issues: [Issue]

  /// - Parameter subject: what refused them, such as `query issue.list`.
  public init(_ subject: String, issues: [Issue]) {
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
