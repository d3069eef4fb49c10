public import ZeroIVM
public import ZeroProtocol

/// A named query bound to its arguments: what ``Zero`` materializes, runs and preloads.
public struct QueryRequest<Output: QueryOutput, Context>: Sendable {
  /// The name the server knows it by.
  public let name: String
  private let build: @Sendable (Context) throws -> Query<Output.Element, Output>

  init(
    name: String, build: @escaping @Sendable (Context) throws -> Query<Output.Element, Output>
  ) {
    self.name = name
    self.build = build
  }

  /// The query for this context.
  /// - Throws: `InputValidationError`, an error of encoding the arguments, or what the definition
  ///   throws.
  public func query(_ context: Context) throws -> Query<Output.Element, Output> {
    try build(context)
  }
}

/// A named query with arguments. Call it with arguments to get a request.
public struct QueryDefinition<Args: Codable & Sendable, Output: QueryOutput, Context>:
  AnyQueryDefinition
{
  /// The name the server knows it by.
  public let name: String
  private let validate: (@Sendable (Args) throws -> Void)?
  private let body: @Sendable (Args, Context) throws -> Query<Output.Element, Output>

  init(
    _ name: String, validate: (@Sendable (Args) throws -> Void)?,
    body: @escaping @Sendable (Args, Context) throws -> Query<Output.Element, Output>
  ) {
    self.name = name
    self.validate = validate
    self.body = body
  }

  /// Binds the arguments. They are checked and encoded when the request is used.
  public func callAsFunction(_ args: Args) -> QueryRequest<Output, Context> {
    let (name, validate, body) = (name, validate, body)
    return QueryRequest(name: name) { context in
      try Validation.run("query \(name)", args, validate)
      let json = try DefinitionArguments.encoded(args)
      return try body(args, context).named(name, args: json.map { [$0] } ?? [])
    }
  }

  /// A request without arguments, for a definition that can do without.
  public func callAsFunction() -> QueryRequest<Output, Context>
  where Args: ExpressibleByNilLiteral { self(nil) }

  public func query(_ args: JSONValue?, _ context: Context) throws -> NamedQuery {
    let typed = try DefinitionArguments.decoded(args, as: Args.self)
    try Validation.run("query \(name)", typed, validate)
    return try NamedQuery(body(typed, context), name, args)
  }

  @_spi(Engine) public func reencoded(_ args: JSONValue?) throws -> JSONValue? {
    try DefinitionArguments.reencoded(args, as: Args.self)
  }
}

/// A named query without arguments. Call it to get a request.
public struct PlainQueryDefinition<Output: QueryOutput, Context>: AnyQueryDefinition {
  /// The name the server knows it by.
  public let name: String
  private let body: @Sendable (Context) throws -> Query<Output.Element, Output>

  init(
    _ name: String, body: @escaping @Sendable (Context) throws -> Query<Output.Element, Output>
  ) {
    self.name = name
    self.body = body
  }

  /// A request without arguments.
  public func callAsFunction() -> QueryRequest<Output, Context> {
    let (name, body) = (name, body)
    return QueryRequest(name: name) { try body($0).named(name, args: []) }
  }

  public func query(_ args: JSONValue?, _ context: Context) throws -> NamedQuery {
    try DefinitionArguments.refuse(args)
    return try NamedQuery(body(context), name, nil)
  }

  @_spi(Engine) public func reencoded(_ args: JSONValue?) throws -> JSONValue? {
    try DefinitionArguments.refuse(args)
    return nil
  }
}

/// Defines a named query with arguments.
///
/// The server has a query of the same name; what travels is the name and the arguments as they were
/// given: none at all where their type is optional and they are nil. The body builds the query from
/// them and from the client's context.
/// - Parameter validate: runs before the body, each time; throws ``ValidationIssues`` to refuse the
///   arguments.
public func defineQuery<Args: Codable & Sendable, Output: QueryOutput, Context>(
  _ name: String, validate: (@Sendable (Args) throws -> Void)? = nil,
  _ body: @escaping @Sendable (Args, Context) throws -> Query<Output.Element, Output>
) -> QueryDefinition<Args, Output, Context> {
  QueryDefinition(name, validate: validate, body: body)
}

/// Defines a named query without arguments.
public func defineQuery<Output: QueryOutput, Context>(
  _ name: String, _ body: @escaping @Sendable (Context) throws -> Query<Output.Element, Output>
) -> PlainQueryDefinition<Output, Context> {
  PlainQueryDefinition(name, body: body)
}

/// Runs the validation that a definition was given.
enum Validation {
  static func run<Args>(
    _ subject: String, _ args: Args, _ validate: ((Args) throws -> Void)?
  ) throws {
    do {
      try validate?(args)
    } catch let issues as ValidationIssues {
      throw InputValidationError(subject, issues: issues.issues)
    }
  }
}
