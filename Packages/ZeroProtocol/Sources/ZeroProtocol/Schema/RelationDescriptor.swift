/// How many rows a relation or a hop leads to.
public enum Cardinality: String, Sendable, Hashable, CaseIterable { case one, many }

/// One step of a relation: rows of `table` whose `to` columns equal the `from` columns.
public struct Hop: Sendable, Hashable {
  /// Columns of the row that the step starts from.
  public let from: [String]
  /// Client name of the table that it leads to.
  public let table: String
  /// Columns of that table, as many.
  public let to: [String]

  /// A hop over pairs of columns: as many on both sides, at least one.
  public init(_ from: [String], _ table: String, _ to: [String]) {
    self.from = from
    self.table = table
    self.to = to
  }
}

/// A named relation of a table, of one hop or, through a junction table, of two.
public struct RelationDescriptor: Sendable, Hashable {
  /// Name of the relation.
  public let name: String
  /// Cardinality of the last hop: whether the result is one row or a list.
  public let cardinality: Cardinality
  /// One or two hops.
  public let hops: [Hop]

  /// A relation of one hop or two; `cardinality` is that of the last.
  public init(_ name: String, _ cardinality: Cardinality, _ hops: Hop...) {
    self.init(name, cardinality, hops: hops)
  }

  /// A relation of one hop or two; `cardinality` is that of the last.
  public init(_ name: String, _ cardinality: Cardinality, hops: [Hop]) {
    self.name = name
    self.cardinality = cardinality
    self.hops = hops
  }
}
