/// The tables an app syncs.
///
/// Building a schema checks nothing; ``validate()`` is called by whatever uses one.
public struct ZeroSchema: Sendable {
  /// The tables in declared order.
  public let tables: [TableDescriptor]
  /// Whether the app may send queries that have no name; nil leaves it to the default.
  public let enableLegacyQueries: Bool?
  /// Whether the app may use the built-in mutators; nil leaves it to the default.
  public let enableLegacyMutators: Bool?
  /// Client names of the tables for which relationships were declared, be it none.
  let tablesWithRelationships: [String]
  private let places: [UTF8Key: Int]
  private let serverPlaces: [UTF8Key: Int]

  /// A schema whose tables have their relations.
  public init(
    tables: [TableDescriptor], enableLegacyQueries: Bool? = nil, enableLegacyMutators: Bool? = nil
  ) {
    self.init(
      tables, relationshipsOf: tables.filter { !$0.relations.isEmpty }.map(\.name),
      enableLegacyQueries, enableLegacyMutators)
  }

  /// A schema whose relationships are declared apart from the tables, as in JavaScript.
  ///
  /// - Parameter relationships: the relations of tables by their client name.
  /// - Throws: `duplicateRelationships` if a table is named twice, `missingTable` if it does not
  ///   exist.
  public init(
    tables: [TableDescriptor], relationships: [(table: String, relations: [RelationDescriptor])],
    enableLegacyQueries: Bool? = nil, enableLegacyMutators: Bool? = nil
  ) throws(SchemaError) {
    var tables = tables
    var declared: Set<UTF8Key> = []
    for (name, relations) in relationships {
      guard declared.insert(UTF8Key(name)).inserted else {
        throw .duplicateRelationships(table: name)
      }
      guard let place = tables.firstIndex(where: { UTF8Key($0.name) == UTF8Key(name) }) else {
        throw SchemaError(
          .missingTable, "relationships are declared for \"\(name)\", which is not in the schema")
      }
      tables[place] = tables[place].adding(relations)
    }
    self.init(
      tables, relationshipsOf: relationships.map(\.table), enableLegacyQueries,
      enableLegacyMutators)
  }

  private init(
    _ tables: [TableDescriptor], relationshipsOf declared: [String], _ legacyQueries: Bool?,
    _ legacyMutators: Bool?
  ) {
    self.tables = tables
    enableLegacyQueries = legacyQueries
    enableLegacyMutators = legacyMutators
    tablesWithRelationships = declared
    places = Self.firstPlaces(tables.map(\.name))
    serverPlaces = Self.firstPlaces(tables.map(\.serverName))
  }

  /// The table of that client name.
  public func table(_ name: String) -> TableDescriptor? { places[UTF8Key(name)].map { tables[$0] } }

  /// The table of that server name.
  public func table(serverName: String) -> TableDescriptor? {
    serverPlaces[UTF8Key(serverName)].map { tables[$0] }
  }

  // MARK: -

  private static func firstPlaces(_ names: [String]) -> [UTF8Key: Int] {
    Dictionary(
      names.enumerated().map { (UTF8Key($1), $0) }, uniquingKeysWith: { first, _ in first })
  }
}
