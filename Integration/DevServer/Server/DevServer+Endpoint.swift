public import ZeroProtocol

extension DevServer {
  /// Takes over what an API server says about mutations: IDs move forward, errors are kept until the
  /// client has seen them.
  public func confirm(_ responses: [MutationResponse], of groupID: String) throws(JSONError) {
    do {
      try write { transaction in
        for response in responses {
          guard let id = UInt64(exactly: response.id.id), id > 0 else { continue }
          let client = ClientKey(group: groupID, client: response.id.clientID)
          guard transaction.lastMutationID(of: client) < id else { continue }
          if case .appError = response.result {
            transaction.setResult(response.result.json, of: id, client)
          }
          transaction.setLastMutationID(id, of: client)
        }
      }
    } catch {
      throw JSONError(.invalidValue, message: "\(error)")
    }
  }

  /// Forgets the results that an internal mutation names.
  public func forgetResults(_ cleanup: PushedMutation, of groupID: String) {
    let (_, commit) = database.write {
      $0.cleanUpResults(cleanup.arguments.first, group: groupID)
    }
    if let commit { publish(commit) }
  }
}
