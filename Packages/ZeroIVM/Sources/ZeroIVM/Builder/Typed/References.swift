public import ZeroProtocol

/// A ``Column`` of any types, as checks of generated code find it.
@_spi(Engine) public protocol ColumnReference {
  /// Place of the column in its table's descriptor, as it was given.
  var ordinal: Int { get }
  /// The table's struct.
  var tableType: any ZeroTable.Type { get }
  /// The Swift type of the column.
  var valueType: any ZeroValue.Type { get }
}

@_spi(Engine) extension Column: ColumnReference {
  public var ordinal: Int { index }
  public var tableType: any ZeroTable.Type { T.self }
  public var valueType: any ZeroValue.Type { V.self }
}

/// A ``Relation`` of any types, as checks of generated code find it.
@_spi(Engine) public protocol RelationReference {
  /// Place of the relation in its table's descriptor, as it was given.
  var ordinal: Int { get }
  /// The struct of the table that the relation starts from.
  var tableType: any ZeroTable.Type { get }
  /// The struct of the table that the relation leads to.
  var targetType: any ZeroTable.Type { get }
  /// Nil if the type says neither ``ToOne`` nor ``ToMany``.
  var cardinality: Cardinality? { get }
}

@_spi(Engine) extension Relation: RelationReference {
  public var ordinal: Int { index }
  public var tableType: any ZeroTable.Type { T.self }
  public var targetType: any ZeroTable.Type { C.self }
  public var cardinality: Cardinality? {
    K.self == ToOne.self ? .one : K.self == ToMany.self ? .many : nil
  }
}

extension Entry {
  /// A row with one related row under a relationship, as no query made it.
  @_spi(Engine) public init(_ row: Row, relation: RelationDescriptor, to related: Row) {
    let isSingular = relation.cardinality == .one
    let shape = ResultShape(
      layout: row.layout,
      relationships: [
        .init(
          name: relation.name, isSingular: isSingular,
          shape: ResultShape(layout: related.layout, relationships: []))
      ])
    let entry = Entry(related)
    self.init(row, [isSingular ? .one(entry) : .many(EntryList(entry))], shape)
  }

  /// A row without related rows, as no query made it.
  @_spi(Engine) public init(plain row: Row) { self.init(row) }
}
