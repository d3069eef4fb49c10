/// A query as zero-cache and the engine understand it: a table, its filter, its nested results, its
/// window and its order.
///
/// An `AST` built here prints its members in the order the JavaScript builder does; one read from
/// JSON keeps the spelling of its conditions, since hashes are taken over the text.
public struct AST: Sendable {
  /// Unused by clients; kept because it is part of the hashed text.
  public var schema: String?
  /// The table whose rows are asked for.
  public var table: String
  /// Relationship name inside a subquery. ``AST/existsPrefix`` starts that of an exists.
  public var alias: String?
  /// Which rows; nil for all.
  public var `where`: Condition?
  /// Nested results, in the order they were asked for.
  public var related: [CorrelatedSubquery]?
  /// Where the window begins; nil for the first row.
  public var start: Start?
  /// As received: any JSON number. See ``rowLimit`` for what the engine can take.
  public var limit: Double?
  /// As written; ``completingOrdering(primaryKeys:)`` adds missing primary-key columns.
  public var orderBy: Ordering?
  var spelling: NodeSpelling?

  /// A query that prints as the builder prints it; everything but `table` may be left out.
  public init(
    schema: String? = nil, table: String, alias: String? = nil, where: Condition? = nil,
    related: [CorrelatedSubquery]? = nil, start: Start? = nil, limit: Double? = nil,
    orderBy: Ordering? = nil
  ) {
    self.schema = schema
    self.table = table
    self.alias = alias
    self.where = `where`
    self.related = related
    self.start = start
    self.limit = limit
    self.orderBy = orderBy
  }

  /// Start of the alias that the builder gives to the subquery of an exists. Relationship names
  /// must not start with it.
  public static let existsPrefix = "zsubq_"

  /// Start of the alias of the far table in an exists through a junction table.
  public static let hiddenExistsPrefix = "zsubq_zhidden_"

  /// The limit as a row count: 0 for anything below 1 or not a number, fractions rounded up, and at
  /// most `Int32.max`. Nil if there is no limit.
  public var rowLimit: Int? {
    guard let limit else { return nil }
    guard limit > 0 else { return 0 }
    return limit >= Double(Int32.max) ? Int(Int32.max) : Int(limit.rounded(.up))
  }
}
