import ZeroProtocol

/// The tables of a client's database, in the order in which they are named when it is opened.
enum DatabaseTable: Int, CaseIterable {
  case meta, clients, groups, lmids, deleted, rows, got, pending, refused

  var table: StoreTable { StoreTable(rawValue) }
  static var names: [String] { allCases.map { "\($0)" } }
}

/// The tables of the catalog, the store that lists the databases.
enum CatalogTable: Int, CaseIterable {
  case meta, databases

  var table: StoreTable { StoreTable(rawValue) }
  static var names: [String] { allCases.map { "\($0)" } }
}

/// The version of what tables, keys and values mean. It is part of every database's name.
let storageLayoutVersion = 1
