/// The columns of a table's rows: one per table, shared by all its rows.
public final class RowLayout: Sendable {
  /// Client name of the table.
  public let table: String
  /// Name of the table on the server.
  public let serverTable: String
  /// The columns in the order in which rows hold them.
  public let columns: [ColumnDescriptor]
  /// Number of columns.
  public let columnCount: Int
  /// Indexes of the primary-key columns in declared order. A key column the table lacks is left
  /// out; validating the schema reports it.
  public let primaryKey: [Int]
  private let places: [UTF8Key: Int]
  private let serverPlaces: [UTF8Key: Int]

  /// The largest number of columns.
  static let columnLimit = Int(UInt16.max)

  /// - Parameter serverTable: the table's name on the server, if it is another.
  public init(
    table: String, serverTable: String? = nil, columns: [ColumnDescriptor], primaryKey: [String]
  ) {
    self.table = table
    self.serverTable = serverTable ?? table
    self.columns = columns
    self.columnCount = columns.count
    precondition(columns.count <= Self.columnLimit, "a table has at most 65,535 columns")
    var places: [UTF8Key: Int] = [:]
    var serverPlaces: [UTF8Key: Int] = [:]
    for (place, column) in columns.enumerated() {
      places[UTF8Key(column.name)] = place
      serverPlaces[UTF8Key(column.serverName)] = place
    }
    self.places = places
    self.serverPlaces = serverPlaces
    self.primaryKey = primaryKey.compactMap { places[UTF8Key($0)] }
  }

  /// Index of the column with that client name.
  public func index(of column: String) -> Int? { places[UTF8Key(column)] }

  /// Index of the column with that server name.
  public func index(ofServerName column: String) -> Int? { serverPlaces[UTF8Key(column)] }
}
