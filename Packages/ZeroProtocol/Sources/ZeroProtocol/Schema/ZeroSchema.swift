/// The tables an app syncs.
public struct ZeroSchema: Sendable {
  public let tables: [TableDescriptor]
  private let places: [UTF8Key: Int]

  public init(tables: [TableDescriptor]) {
    self.tables = tables
    var places: [UTF8Key: Int] = [:]
    for (place, table) in tables.enumerated() where places[UTF8Key(table.name)] == nil {
      places[UTF8Key(table.name)] = place
    }
    self.places = places
  }

  /// The table of that client name.
  public func table(_ name: String) -> TableDescriptor? { places[UTF8Key(name)].map { tables[$0] } }
}
