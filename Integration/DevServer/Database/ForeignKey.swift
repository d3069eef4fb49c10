/// A reference from the rows of one table to those of another, checked on every write.
public struct ForeignKey: Sendable, Hashable {
  /// What becomes of the rows that refer to a deleted row.
  public enum OnDelete: String, Sendable, Hashable { case restrict, cascade }

  /// Name of the constraint in error messages.
  public let name: String
  /// Server name of the referring table.
  public let table: String
  /// Server names of the referring columns. A row with null in one of them refers to nothing.
  public let columns: [String]
  /// Server name of the table referred to, by its primary key.
  public let target: String
  public let onDelete: OnDelete

  /// - Parameter columns: in the order of the primary key of `target`.
  public init(
    _ table: String, _ columns: [String], references target: String, onDelete: OnDelete = .restrict
  ) {
    self.name = ([table] + columns + ["fkey"]).joined(separator: "_")
    self.table = table
    self.columns = columns
    self.target = target
    self.onDelete = onDelete
  }
}
