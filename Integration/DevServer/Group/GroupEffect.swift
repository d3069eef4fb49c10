import ZeroProtocol

/// What a client group wants done, in this order.
enum GroupEffect: Sendable {
  case send(ConnectionID, ServerMessage)
  case poke(ConnectionID, Poke)
  /// Only the start of a poke: an error follows in its middle.
  case beginPoke(ConnectionID, Poke)
  /// Tells the connection of the error and closes it.
  case fail(ConnectionID, GroupError)
  case close(ConnectionID)
  /// Asks the backend; the answer comes back under the number.
  case transform(Int, TransformCall)
  case mutate(Int, MutateCall)
}

/// A text message of the server, other than those of a poke and errors.
enum ServerMessage: Sendable {
  case connected(wsid: String, timestamp: Double)
  case pong
  case deleteClients([String])
  case transformError([JSONObject])
  case inspect(JSONObject)

  var json: JSONValue {
    switch self {
    case .connected(let wsid, let timestamp):
      .array([
        .string("connected"),
        .object(["wsid": .string(wsid), "timestamp": .number(timestamp)]),
      ])
    case .pong: .array([.string("pong"), .object([:])])
    case .deleteClients(let clients):
      .array([
        .string("deleteClients"),
        .object(["clientIDs": .array(clients.map(JSONValue.string))]),
      ])
    case .transformError(let errors):
      .array([.string("transformError"), .array(errors.map(JSONValue.object))])
    case .inspect(let body): .array([.string("inspect"), .object(body)])
    }
  }
}
