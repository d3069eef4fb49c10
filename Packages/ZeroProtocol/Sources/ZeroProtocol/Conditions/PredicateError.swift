/// A condition that cannot be decided, found when it is compiled or when it meets a row.
public struct PredicateError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. New kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Base: String, Hashable, Sendable {
      case subquery, unboundParameter, listRequired, invalidPattern, typeMismatch, textRequired
    }
    private let base: Base
    private init(_ base: Base) { self.base = base }

    /// The condition asks for the rows of a subquery.
    public static let subquery = Self(.subquery)
    /// The condition has a static parameter that was not bound.
    public static let unboundParameter = Self(.unboundParameter)
    /// `IN` and `NOT IN` with something other than a list.
    public static let listRequired = Self(.listRequired)
    /// A pattern of `LIKE` that ends inside an escape.
    public static let invalidPattern = Self(.invalidPattern)
    /// Two values that have no order.
    public static let typeMismatch = Self(.typeMismatch)
    /// A pattern of `LIKE` against something that is no text.
    public static let textRequired = Self(.textRequired)

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
  public var description: String { "condition error \(code): \(message)" }
}
