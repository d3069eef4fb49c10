public import ZeroIVM
public import ZeroProtocol

/// A row of the junction of issues and labels.
public struct IssueLabel: ZeroTable {
  public var issueId: String
  public var labelId: String

  public init(
    issueId: String, labelId: String
  ) {
    self.issueId = issueId
    self.labelId = labelId
  }

  public init(_ reader: RowReader) throws(RowDecodingError) {
    issueId = try reader.value(0)
    labelId = try reader.value(1)
  }

  public func encode() -> ContiguousArray<Value> {
    [issueId.zero, labelId.zero]
  }

  /// The columns, for conditions and orders.
  public struct Columns: Sendable {
    public let issueId = Column<IssueLabel, String>(0)
    public let labelId = Column<IssueLabel, String>(1)
  }

  /// The relations, for nested results.
  public struct Relations: Sendable {
  }

  public static let columns = Columns()
  public static let relations = Relations()
  public static let table = TableDescriptor(
    "issueLabel", server: "issue_label",
    columns: [
      ColumnDescriptor("issueId", server: "issue_id", .string),
      ColumnDescriptor("labelId", server: "label_id", .string),
    ],
    primaryKey: ["issueId", "labelId"])

  /// Names the row with this key.
  public struct Changes: RowChanges {
    public var values = ChangeSet()

    public init(issueId: String, labelId: String) {
      values.set(0, issueId.zero)
      values.set(1, labelId.zero)
    }
  }
}
