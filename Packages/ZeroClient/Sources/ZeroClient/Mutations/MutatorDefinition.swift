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

  /// Runs the body. Whatever it wrote stays in `writes`, also when it throws.
  @MainActor func run(
    _ args: JSONValue?, on writes: WriteSet, schema: ZeroSchema, clientID: String,
    mutationID: Int, reason: MutationReason, token: String?
  ) throws {
    guard let body else { return }
    let transaction = MutatorTransaction(
      writes, schema: schema, clientID: clientID, mutationID: mutationID, reason: reason,
      token: token)
    defer { transaction.close() }
    try body(transaction, args)
  }
}

/// Thrown by a `validate` closure: what is wrong with the arguments.
public struct ValidationIssues: Error, Sendable {
  /// What is wrong, one by one.
  public let issues: [InputValidationError.Issue]

  /// Several issues.
  public init(_ issues: [InputValidationError.Issue]) { self.issues = issues }

  /// One issue about the whole, or about the member that `path` leads to.
  public init(_ message: String, path: [String] = []) { issues = [.init(message, path: path)] }
}
