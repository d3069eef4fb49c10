import ZeroProtocol

extension ClientGroup {
  /// A client has pushed mutations.
  /// - Parameter body: the body of the message without its mutations.
  func push(
    _ mutations: [PushedMutation], _ body: JSONObject, from id: ConnectionID, at now: Double
  ) -> [GroupEffect] {
    entry(at: now) {
      guard let connection = connections[id] else { return }
      if let group = body["clientGroupID"], group != .string(self.id) {
        let text = if case .string(let text) = group { text } else { "" }
        let message =
          "clientGroupID in mutation \"\(text)\" does not match clientGroupID of connection "
          + "\"\(self.id)"
        return fail(id, GroupError(kind: "InvalidPush", message: message))
      }
      guard !mutations.isEmpty else { return }
      enqueue(
        PushQueue.Push(
          connection: id, caller: connection.caller(of: self.id, connection.pushEndpoint),
          mutations: mutations, body: body))
    }
  }

  /// A client has seen the results of its mutations.
  func acknowledge(
    upTo mutationID: UInt64, of client: String, from id: ConnectionID, at now: Double
  ) -> [GroupEffect] {
    entry(at: now) {
      guard let connection = connections[id] else { return }
      requestCleanup(
        [
          "type": .string("single"), "clientGroupID": .string(self.id),
          "clientID": .string(client), "upToMutationID": .number(Double(mutationID)),
        ], client: client, for: connection)
    }
  }

  func mutateAnswered(
    _ number: Int, _ outcome: MutateOutcome, at now: Double
  ) -> [GroupEffect] {
    entry(at: now) {
      guard let push = pushes.finish(number) else { return }
      let isCleanup = push.mutations.allSatisfy { $0.id == 0 }
      if !isCleanup, let id = push.connection, connections[id] != nil {
        switch outcome {
        case .failed(let failure, let mutations):
          pushes.drop(id)
          fail(id, .pushFailed(failure, mutations: mutations))
        case .answered(let user):
          if !user.accepts(push.caller.userID) {
            pushes.drop(id)
            fail(id, .unauthorizedUser)
          }
        }
      }
      startPush()
    }
  }

  /// Lets the backend forget all results of clients that are gone.
  func requestCleanup(of clients: [String], for connection: GroupConnection) {
    requestCleanup(
      [
        "type": .string("bulk"), "clientGroupID": .string(id),
        "clientIDs": .array(clients.map(JSONValue.string)),
      ], client: clients[0], for: connection)
  }

  // MARK: -

  /// Name of the mutation that deletes results.
  static let cleanupName = "_zero_cleanupResults"

  private func requestCleanup(
    _ argument: JSONObject, client: String, for connection: GroupConnection
  ) {
    let json: JSONObject = [
      "type": .string("custom"), "id": .number(0), "clientID": .string(client),
      "name": .string(Self.cleanupName), "args": .array([.object(argument)]),
      "timestamp": .number(0),
    ]
    let mutation = PushedMutation(
      id: 0, clientID: client, name: Self.cleanupName, arguments: [.object(argument)], json: json)
    enqueue(
      PushQueue.Push(
        connection: connection.id, caller: connection.caller(of: id, connection.pushEndpoint),
        mutations: [mutation],
        body: [
          "clientGroupID": .string(id), "pushVersion": .number(1), "timestamp": .number(0),
          "requestID": .string("cleanup"),
        ]))
  }

  private func enqueue(_ push: PushQueue.Push) {
    pushes.add(push)
    startPush()
  }

  private func startPush() {
    guard let (number, push) = pushes.next(nextNumber) else { return }
    effects.append(
      .mutate(
        number, MutateCall(caller: push.caller, mutations: push.mutations, body: push.body)))
  }
}
