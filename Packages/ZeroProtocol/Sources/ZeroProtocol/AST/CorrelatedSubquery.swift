/// Who added a subquery.
public enum QuerySystem: String, Sendable, Hashable, CaseIterable { case permissions, client, test }

/// The columns that tie a row of a subquery to its parent row: `childField` equals `parentField`,
/// pair by pair.
public struct Correlation: Sendable {
  /// Columns of the parent row.
  public var parentField: [String]
  /// Columns of the subquery's row, as many.
  public var childField: [String]

  /// Pairs of columns: as many on both sides, at least one.
  public init(parentField: [String], childField: [String]) {
    self.parentField = parentField
    self.childField = childField
  }
}

/// A query evaluated per row of its parent: a nested result, or the inside of an exists.
public struct CorrelatedSubquery: Sendable {
  /// What ties the rows to their parent.
  public var correlation: Correlation
  /// The query.
  public var subquery: AST
  /// True for a junction hop, which results leave out.
  public var hidden: Bool?
  /// Who added it; nil if that is not said.
  public var system: QuerySystem?
  var spelling: NodeSpelling?

  /// A subquery that prints as the builder prints it.
  public init(
    system: QuerySystem? = nil, correlation: Correlation, subquery: AST, hidden: Bool? = nil
  ) {
    self.correlation = correlation
    self.subquery = subquery
    self.hidden = hidden
    self.system = system
  }
}
