import ZeroProtocol

extension ClientEngine {
  /// Results of own mutations: outcomes, and the acknowledgement.
  func watchResults(_ changes: [ServerState.ResultChange]) throws {
    guard !changes.isEmpty else { return }
    var highest = 0
    for change in changes {
      switch change {
      case .added(let response):
        highest = max(highest, Int(exactly: response.id.id) ?? 0)
        try settle(response)
      case .removed(let id): highest = max(highest, id)
      case .changed(let id):
        throw PokeError.unexpected("the result of mutation \(id) changed")
      }
    }
    sendIfConnected(
      .ackMutationResponses(AckMutationResponses(clientID: clientID, id: Double(highest))))
  }

  /// Settles the outcome that a result is about.
  func settle(_ response: MutationResponse) throws {
    guard response.id.clientID.utf8.elementsEqual(clientID.utf8) else {
      throw ClientError(.internal, "received mutation for the wrong client")
    }
    let id = Int(exactly: response.id.id) ?? 0
    switch response.result {
    case .success, .alreadyProcessed: tracker.settle(mutationID: id, .success)
    case .appError(let message, let details):
      let error = Self.applicationError(message, details)
      log.error("mutation \(id) failed on the server: \(error)")
      tracker.settle(mutationID: id, .applicationError(error))
    case .outOfOrder:
      let error = ZeroError.server(
        ServerError(
          .invalidPush, message: "Server reported an out-of-order mutation", origin: .zeroCache))
      tracker.settle(mutationID: id, .zeroError(error))
      disconnect(error)
    case .unrecognized(let object):
      throw ClientError(
        .internal,
        "the result of mutation \(id) has no known form; its members are "
          + object.members.map(\.key).joined(separator: ", "))
    }
  }

  /// Records of the mutations that are refused by these results, for the list of the app.
  func refusals(_ results: [PokeContents.ResultOperation]) -> [RefusedRecord] {
    var records: [RefusedRecord] = []
    lazy var known = Set(refused.records.map(RefusedKey.init))
    // Made when the first is looked up: most pokes refuse nothing.
    lazy var places = Dictionary(
      pending.enumerated().map { (MutationID(id: Double($1.id), clientID: $1.clientID), $0) },
      uniquingKeysWith: { first, _ in first })
    for case .put(let response) in results {
      guard case .appError(let message, let details) = response.result,
        let place = places[response.id]
      else { continue }
      let mutation = pending[place]
      // What it stands in for is on the list.
      if mutation.name.utf8.elementsEqual(PendingChain.standInName.utf8) { continue }
      guard known.insert(RefusedKey(mutation)).inserted else { continue }
      let error = Self.applicationError(message, details)
      records.append(
        refused.record(mutation, .applicationError, message: error.message, details: error.details))
    }
    return records
  }

  // MARK: -

  private static func applicationError(_ message: String?, _ details: JSONValue?)
    -> ApplicationError
  {
    ApplicationError(message ?? "Unknown application error: app", details: details)
  }
}
