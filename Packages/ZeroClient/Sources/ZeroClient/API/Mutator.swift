public import ZeroProtocol

/// A mutator of any arguments, for one context: an element of a client's list of mutators.
public protocol AnyMutator<Context>: Sendable {
  /// That of the clients it is for.
  associatedtype Context

  /// The name the server knows it by.
  var name: String { get }

  /// The mutator as the engine runs it for a client with this context.
  @_spi(Engine) func definition(_ context: Context) -> MutatorDefinition

  /// Arguments as they travel, read into the mutator's type and written again; nil for none.
  /// - Throws: an error that says which part of them does not fit.
  @_spi(Engine) func reencoded(_ args: JSONValue?) throws -> JSONValue?
}

/// A mutator: a named change that runs here at once and on the server later.
///
/// Call it with arguments to get a request. The body runs again, on newer rows, until the server has
/// confirmed the mutation: it must come to the same result for the same arguments, context and rows.
public struct Mutator<Args: Codable & Sendable, Context: Sendable>: AnyMutator {
  /// What it does: reads and writes rows through the transaction. What it throws is its outcome, and
  /// nothing of what it wrote is kept.
  public typealias Body = @MainActor @Sendable (MutatorTransaction, Args, Context) throws -> Void

  /// The name the server knows it by.
  public let name: String
  private let validate: (@Sendable (Args) throws -> Void)?
  private let body: Body?

  init(_ name: String, validate: (@Sendable (Args) throws -> Void)?, body: Body?) {
    self.name = name
    self.validate = validate
    self.body = body
  }

  /// Binds the arguments.
  public func callAsFunction(_ args: Args) -> MutateRequest<Context> {
    MutateRequest(name: name) { try DefinitionArguments.encoded(args) }
  }

  @_spi(Engine) public func definition(_ context: Context) -> MutatorDefinition {
    let (name, validate, body) = (name, validate, body)
    guard let body else { return MutatorDefinition(name, body: nil) }
    return MutatorDefinition(name) { transaction, json in
      let args = try DefinitionArguments.decoded(json, as: Args.self)
      try Validation.run("mutator \(name)", args, validate)
      try body(transaction, args, context)
    }
  }

  @_spi(Engine) public func reencoded(_ args: JSONValue?) throws -> JSONValue? {
    try DefinitionArguments.reencoded(args, as: Args.self)
  }
}

/// A mutator without arguments.
public struct PlainMutator<Context: Sendable>: AnyMutator {
  /// See ``Mutator/Body``.
  public typealias Body = @MainActor @Sendable (MutatorTransaction, Context) throws -> Void

  /// The name the server knows it by.
  public let name: String
  private let body: Body

  init(_ name: String, body: @escaping Body) {
    self.name = name
    self.body = body
  }

  /// A request without arguments.
  public func callAsFunction() -> MutateRequest<Context> { MutateRequest(name: name) { nil } }

  @_spi(Engine) public func definition(_ context: Context) -> MutatorDefinition {
    let body = body
    return MutatorDefinition(name) { transaction, _ in try body(transaction, context) }
  }

  @_spi(Engine) public func reencoded(_ args: JSONValue?) throws -> JSONValue? {
    try DefinitionArguments.refuse(args)
    return nil
  }
}

/// A mutator that only the server has: it has no effect here before the server's rows come.
public struct ServerMutator<Args: Codable & Sendable, Context: Sendable>: AnyMutator {
  /// The name the server knows it by.
  public let name: String

  /// Binds the arguments.
  public func callAsFunction(_ args: Args) -> MutateRequest<Context> {
    MutateRequest(name: name) { try DefinitionArguments.encoded(args) }
  }

  @_spi(Engine) public func definition(_ context: Context) -> MutatorDefinition {
    MutatorDefinition(name, body: nil)
  }

  @_spi(Engine) public func reencoded(_ args: JSONValue?) throws -> JSONValue? {
    try DefinitionArguments.reencoded(args, as: Args.self)
  }
}

/// A mutator bound to its arguments: what ``Zero/mutate(_:)`` takes.
public struct MutateRequest<Context>: Sendable {
  /// The mutator's name.
  public let name: String
  let arguments: @Sendable () throws -> JSONValue?

  init(name: String, arguments: @escaping @Sendable () throws -> JSONValue?) {
    self.name = name
    self.arguments = arguments
  }
}

/// Makes mutators; see ``defineMutator``.
public struct MutatorDefiner: Sendable {
  init() {}

  /// Defines a mutator with arguments.
  /// - Parameter validate: runs before the body, each time; throws ``ValidationIssues`` to refuse the
  ///   arguments.
  public func callAsFunction<Args: Codable & Sendable, Context: Sendable>(
    _ name: String, validate: (@Sendable (Args) throws -> Void)? = nil,
    _ body: @escaping Mutator<Args, Context>.Body
  ) -> Mutator<Args, Context> {
    Mutator(name, validate: validate, body: body)
  }

  /// Defines a mutator without arguments.
  public func callAsFunction<Context: Sendable>(
    _ name: String, _ body: @escaping PlainMutator<Context>.Body
  ) -> PlainMutator<Context> {
    PlainMutator(name, body: body)
  }

  /// Defines a mutator that has no effect here before the server's rows come.
  /// - Parameter context: that of the clients it is for, where the compiler cannot infer it:
  ///   `defineMutator.serverOnly("issue.notify", args: Notify.self, context: Session.self)`.
  public func serverOnly<Args: Codable & Sendable, Context: Sendable>(
    _ name: String, args: Args.Type, context: Context.Type = Context.self
  ) -> ServerMutator<Args, Context> {
    ServerMutator(name: name)
  }
}

/// Defines mutators: `defineMutator("issue.create") { tx, args, context in … }`, or
/// `defineMutator.serverOnly("issue.notify", args: Notify.self)`.
public let defineMutator = MutatorDefiner()
