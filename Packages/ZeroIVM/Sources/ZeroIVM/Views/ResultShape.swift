public import ZeroProtocol

/// What entries of a query's result look like: the layout of their rows and their relationships.
public final class ResultShape: Sendable {
  /// A relationship that the query asked for.
  public struct Relationship: Sendable {
    /// The name under which the query asked for it.
    public let name: String
    /// Whether it leads to one row at most.
    public let isSingular: Bool
    /// What its entries look like.
    public let shape: ResultShape
  }

  /// The columns of the rows.
  public let layout: RowLayout
  /// In the order of the slots of ``Entry/related(_:)``.
  public let relationships: [Relationship]

  init(layout: RowLayout, relationships: [Relationship]) {
    self.layout = layout
    self.relationships = relationships
  }

  /// The slot of a relationship; nil if the query did not ask for it.
  public func slot(of name: String) -> Int? {
    relationships.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
