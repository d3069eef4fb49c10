/// A query that cannot be built as asked.
public struct QueryBuildError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. New kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Base: String, Hashable, Sendable {
      case unknownTable, unknownRelationship, reservedRelationship, tooManyHops
      case repeatedRelationship
      case negativeLimit, invalidLimit, limitInJunction, orderByInJunction
    }
    private let base: Base
    private init(_ base: Base) { self.base = base }

    /// The schema has no table of that name.
    public static let unknownTable = Self(.unknownTable)
    /// The table has no relationship of that name.
    public static let unknownRelationship = Self(.unknownRelationship)
    /// Names of relationships must not start with `zsubq_`.
    public static let reservedRelationship = Self(.reservedRelationship)
    /// A relationship of other than one or two hops.
    public static let tooManyHops = Self(.tooManyHops)
    /// A relationship that is asked for twice on one level.
    public static let repeatedRelationship = Self(.repeatedRelationship)
    /// A limit below zero.
    public static let negativeLimit = Self(.negativeLimit)
    /// A limit that is no integer of 32 bits.
    public static let invalidLimit = Self(.invalidLimit)
    /// A limit on the far table of a relationship through a junction table.
    public static let limitInJunction = Self(.limitInJunction)
    /// An order on the far table of a relationship through a junction table.
    public static let orderByInJunction = Self(.orderByInJunction)

    /// The name of the kind.
    public var description: String { base.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// The table of the query that could not be built.
  public let table: String
  /// The relationship or column concerned, if any.
  public let name: String?
  /// What failed and what to do.
  public let message: String

  /// An error of that kind on a query of `table`.
  public init(_ code: Code, table: String, name: String? = nil, _ message: String) {
    self.code = code
    self.table = table
    self.name = name
    self.message = message
  }

  /// The kind, the table, the name and the message.
  public var description: String {
    "query error \(code) on table \"\(table)\"\(name.map { ", \"\($0)\"" } ?? ""): \(message)"
  }
}
