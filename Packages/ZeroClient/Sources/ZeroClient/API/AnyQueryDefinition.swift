public import ZeroIVM
public import ZeroProtocol

/// A named query of any arguments and result, for one context: an element of a list of queries, as
/// tests and servers keep them. Clients need no such list.
public protocol AnyQueryDefinition<Context>: Sendable {
  /// That of the clients it is for.
  associatedtype Context

  /// The name the server knows it by.
  var name: String { get }

  /// The query for arguments as they travel.
  /// - Parameter args: nil for a call without arguments.
  /// - Throws: an error of decoding, `InputValidationError`, `QueryBuildError`, or what the
  ///   definition throws.
  func query(_ args: JSONValue?, _ context: Context) throws -> NamedQuery

  /// Arguments as they travel, read into the definition's type and written again; nil for none.
  /// - Throws: an error that says which part of them does not fit.
  @_spi(Engine) func reencoded(_ args: JSONValue?) throws -> JSONValue?
}

/// A named query with its arguments, without the types of its rows.
public struct NamedQuery: Sendable {
  /// The name the server knows it by.
  public let name: String
  /// None, or one.
  public let args: [JSONValue]
  /// In the names of the client's schema.
  public let ast: AST
  /// What its result looks like.
  public let format: Format

  init<T, Output>(_ query: Query<T, Output>, _ name: String, _ args: JSONValue?) throws {
    let query = try query.checked()
    self.name = name
    self.args = args.map { [$0] } ?? []
    ast = query.ast
    format = query.format
  }
}

/// Arguments of definitions, from and to JSON.
enum DefinitionArguments {
  /// Arguments as they travel. Nil of an optional type is a call without arguments, as nil members
  /// are left out.
  static func encoded<Args: Codable>(_ args: Args) throws -> JSONValue? {
    if let optional = args as? any OptionalArguments, optional.isNone { return nil }
    return try JSONValueEncoder().encode(args)
  }

  static func decoded<Args: Codable>(_ args: JSONValue?, as type: Args.Type) throws -> Args {
    try JSONValueDecoder().decode(type, from: args ?? .null)
  }

  static func reencoded<Args: Codable>(_ args: JSONValue?, as type: Args.Type) throws -> JSONValue?
  {
    try encoded(decoded(args, as: type))
  }

  /// For definitions without arguments; null is none, as on the wire of mutations.
  static func refuse(_ args: JSONValue?) throws {
    guard let args, args != .null else { return }
    throw DecodingError.typeMismatch(
      Void.self,
      .init(codingPath: [], debugDescription: "the definition takes no arguments"))
  }
}

private protocol OptionalArguments { var isNone: Bool { get } }
extension Optional: OptionalArguments {
  fileprivate var isNone: Bool { if case .none = self { true } else { false } }
}
