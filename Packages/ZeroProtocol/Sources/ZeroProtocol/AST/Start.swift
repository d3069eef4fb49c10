/// Where a window of rows begins, relative to the completed ordering of its query.
public struct Start: Sendable {
  /// The bound: values by column name in the caller's order. Missing columns count as null.
  public var row: JSONObject
  /// Whether a row equal to the bound is left out.
  public var exclusive: Bool
  var spelling: NodeSpelling?

  /// A bound that prints as the builder prints it.
  public init(row: JSONObject, exclusive: Bool) {
    self.row = row
    self.exclusive = exclusive
  }
}
