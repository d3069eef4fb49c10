/// A schema, or a client schema, that cannot be used.
public struct SchemaError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. New kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Base: String, Hashable, Sendable {
      case duplicateTable, duplicateColumn, missingPrimaryKey, unknownKeyColumn
      case duplicateRelationships, duplicateRelation, relationNamedLikeColumn, reservedName
      case missingTable, missingField, invalidHops
    }
    private let base: Base
    private init(_ base: Base) { self.base = base }

    /// Two tables have one name, on the client or on the server.
    public static let duplicateTable = Self(.duplicateTable)
    /// Two columns of a table have one name, on the client or on the server.
    public static let duplicateColumn = Self(.duplicateColumn)
    /// A table has no primary key.
    public static let missingPrimaryKey = Self(.missingPrimaryKey)
    /// The primary key of a table names a column it lacks.
    public static let unknownKeyColumn = Self(.unknownKeyColumn)
    /// The relationships of a table are declared twice.
    public static let duplicateRelationships = Self(.duplicateRelationships)
    /// Two relationships of a table have one name.
    public static let duplicateRelation = Self(.duplicateRelation)
    /// A relationship has the name of a column of its table.
    public static let relationNamedLikeColumn = Self(.relationNamedLikeColumn)
    /// A relationship has a name that the query builder keeps for itself.
    public static let reservedName = Self(.reservedName)
    /// A relationship leads to, or starts from, a table that is not in the schema.
    public static let missingTable = Self(.missingTable)
    /// A relationship starts from a column that its table lacks.
    public static let missingField = Self(.missingField)
    /// A relationship has no hop or more than two, or a hop without or with unpaired columns.
    public static let invalidHops = Self(.invalidHops)

    /// The name of the kind.
    public var description: String { base.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// What is wrong, with which table, and what to do.
  public let message: String

  /// An error of that kind; the message says what is wrong, with which table, and what to do.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The kind and the message.
  public var description: String { "schema error \(code): \(message)" }

  static func duplicateRelationships(table: String) -> SchemaError {
    SchemaError(
      .duplicateRelationships,
      "the relationships of table \"\(table)\" are declared twice; declare them in one place")
  }
}
