/// A query that is well formed but cannot be normalized, completed, bound or mapped.
public struct ASTError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. New kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Base: String, Hashable, Sendable {
      case missingAlias, unboundParameter, missingParameters, unknownTable, unknownColumn
      case incompleteOrdering, emptyCorrelation
    }
    private let base: Base
    private init(_ base: Base) { self.base = base }

    /// A subquery that has to be ordered among others has no alias.
    public static let missingAlias = Self(.missingAlias)
    /// A static parameter where only values and columns can be used.
    public static let unboundParameter = Self(.unboundParameter)
    /// A query with static parameters was bound without giving any.
    public static let missingParameters = Self(.missingParameters)
    /// The schema has no table of that name.
    public static let unknownTable = Self(.unknownTable)
    /// A table has no column of that name.
    public static let unknownColumn = Self(.unknownColumn)
    /// An ordering does not mention every column of the primary key.
    public static let incompleteOrdering = Self(.incompleteOrdering)
    /// A subquery that is not tied to its parent by any column.
    public static let emptyCorrelation = Self(.emptyCorrelation)

    /// The name of the kind.
    public var description: String { base.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, on what, and what to do.
  public let message: String

  /// An error of that kind; the message says what failed, on what, and what to do.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The kind and the message.
  public var description: String { "query error \(code): \(message)" }

  static func missingAlias(_ table: String) -> ASTError {
    ASTError(
      .missingAlias, "the subquery on table \"\(table)\" has no alias; give each subquery one")
  }

  static func unboundParameter(_ parameter: StaticParameter) -> ASTError {
    let path = ([parameter.anchor.rawValue] + parameter.path).joined(separator: ".")
    return ASTError(
      .unboundParameter, "the static parameter \(path) has no value; bind parameters first")
  }

  static func unknownTable(_ table: String) -> ASTError {
    ASTError(.unknownTable, "there is no table \"\(table)\" in the schema")
  }

  static func unknownColumn(_ column: String, table: String) -> ASTError {
    ASTError(.unknownColumn, "there is no column \"\(column)\" in the table \"\(table)\"")
  }

  static func incompleteOrdering(missing: [String]) -> ASTError {
    ASTError(
      .incompleteOrdering,
      "an ordering must mention the whole primary key, here it lacks "
        + missing.map { "\"\($0)\"" }.joined(separator: ", "))
  }

  static func emptyCorrelation(_ table: String) -> ASTError {
    ASTError(
      .emptyCorrelation,
      "the subquery on table \"\(table)\" is not tied to its parent; give at least one column")
  }
}
