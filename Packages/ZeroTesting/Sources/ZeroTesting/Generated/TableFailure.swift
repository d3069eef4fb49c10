/// One thing in which a table's struct does not agree with its descriptor.
public struct TableFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The table's client name; nil if the failure is about the schema.
  public let table: String?
  /// The column or relation, if the failure is about one.
  public let member: String?
  /// What does not agree, and what to do where that is not plain.
  public let message: String

  public var description: String {
    guard let table else { return "schema: \(message)" }
    return (member.map { "\(table).\($0)" } ?? "table \(table)") + ": \(message)"
  }

  init(table: String?, member: String? = nil, _ message: String) {
    self.table = table
    self.member = member
    self.message = message
  }
}
