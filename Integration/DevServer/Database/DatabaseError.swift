public import ZeroProtocol

/// Why a write or a definition was refused. The message of a refused write is worded as Postgres
/// does, since clients get to see it as an application error.
public struct DatabaseError: Error, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable {
    private enum Base {
      case schema, unknownTable, unknownColumn, type, notNull, unique, foreignKey
    }
    private let base: Base

    /// The schema, its foreign keys or its defaults contradict themselves.
    public static let schema = Self(base: .schema)
    public static let unknownTable = Self(base: .unknownTable)
    public static let unknownColumn = Self(base: .unknownColumn)
    /// A value does not fit the type of its column.
    public static let type = Self(base: .type)
    /// A required column is null or missing.
    public static let notNull = Self(base: .notNull)
    /// An insert of a key that exists.
    public static let unique = Self(base: .unique)
    /// A reference to a row that does not exist, or a delete of one that is referred to.
    public static let foreignKey = Self(base: .foreignKey)
  }

  public let code: Code
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}

extension DatabaseError: ApplicationErrorSource {
  public var applicationMessage: String { message }
  /// What a backend on Postgres reports.
  public var applicationDetails: JSONValue? { .object(["name": .string("PostgresError")]) }
}
