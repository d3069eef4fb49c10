import ZeroProtocol

/// What a connection asks of its group.
enum GroupRequest: Sendable {
  case initialize(Initialization)
  case changeDesiredQueries([DesiredQueryChange])
  case updateAuth(String)
  case deleteClients([String])

  /// The body of `initConnection`.
  struct Initialization: Sendable {
    var desired: [DesiredQueryChange] = []
    var clientSchema: ClientSchema?
    var deleted: [String] = []
    var activeClients: [String]?
    var queryEndpoint = GroupConnection.Endpoint()
    var pushEndpoint = GroupConnection.Endpoint()
  }
}

/// A change of one client's desired queries.
enum DesiredQueryChange: Sendable {
  case put(hash: String, QueryRecord.Definition?, ttl: Double?)
  case delete(hash: String)
  case clear
}
