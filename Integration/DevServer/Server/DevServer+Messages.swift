import ZeroProtocol

extension DevServer {
  /// Checks a connection as it comes in and hands it to its group.
  func admit(
    _ connection: ServerConnection, _ parameters: ConnectParameters, _ request: UpgradeRequest
  ) {
    guard strike(.connect, connection) == false else { return }
    guard SyncProtocol.supportedVersions.contains(parameters.protocolVersion) else {
      let version = SyncProtocol.version
      let side = parameters.protocolVersion > version ? "server" : "client"
      return fail(
        connection,
        GroupError(
          kind: "VersionNotSupported",
          message: "server is at sync protocol v\(version) and does not support "
            + "v\(parameters.protocolVersion). The \(side) must be updated to a newer release."))
    }
    guard parameters.token == nil || parameters.userID != nil else {
      return fail(
        connection,
        GroupError(
          kind: "Unauthorized", message: "Authenticated connections require a userID.",
          closeCode: 3000))
    }
    let group = group(parameters.clientGroupID)
    let effects = group.connect(
      GroupConnection(
        id: connection.id, clientID: parameters.clientID, userID: parameters.userID,
        token: parameters.token, baseCookie: parameters.baseCookie,
        protocolVersion: parameters.protocolVersion, headers: forwarded(request)),
      at: scheduler.monotonicTime)
    perform(effects, of: group)
    guard connections[connection.id] != nil else { return }
    connection.send(
      ServerMessage.connected(wsid: parameters.wsid, timestamp: scheduler.wallTime).json)
    guard let message = parameters.initConnection else { return }
    do throws(JSONError) {
      let message = try UpstreamMessage(json: message)
      guard case .initConnection = message else {
        return fail(
          connection,
          GroupError(kind: "InvalidMessage", message: "expected initConnection in the subprotocol"))
      }
      receive(message, from: connection, parameters)
    } catch {
      fail(connection, GroupError(kind: "InvalidMessage", message: "\(error)"))
    }
  }

  func receive(
    _ message: UpstreamMessage, from connection: ServerConnection,
    _ parameters: ConnectParameters
  ) {
    guard connections[connection.id] != nil, let group = groups[parameters.clientGroupID],
      strike(.message(message.type), connection) == false
    else { return }
    let now = scheduler.monotonicTime
    let id = connection.id
    switch message {
    case .initConnection(let body):
      perform(group.receive(.initialize(.init(body)), from: id, at: now), of: group)
    case .changeDesiredQueries(let body):
      let changes = body.desiredQueriesPatch.map(DesiredQueryChange.init)
      perform(group.receive(.changeDesiredQueries(changes), from: id, at: now), of: group)
    case .updateAuth(let body):
      perform(group.receive(.updateAuth(body.auth), from: id, at: now), of: group)
    case .deleteClients(let body):
      perform(group.receive(.deleteClients(body.clientIDs ?? []), from: id, at: now), of: group)
    case .push(let push): receive(push, from: connection, group)
    case .ackMutationResponses(let body):
      guard let last = UInt64(exactly: body.id) else { return }
      perform(group.acknowledge(upTo: last, of: body.clientID, from: id, at: now), of: group)
    case .ping: connection.outbox.send(ahead: .text(ServerMessage.pong.json.jsonText))
    case .inspect(let request): connection.send(ServerMessage.inspect(answer(request)).json)
    case .pull, .closeConnection: break
    }
  }

  /// Sends a poke, or what a fault makes of it.
  func send(_ poke: Poke, to connection: ServerConnection) {
    var poke = poke
    let fault = faults.take(.poke, clientID: connection.clientID)
    if case .wrongBase = fault {
      poke = Poke(
        base: GroupVersion(commit: poke.cookie.commit + 1), cookie: poke.cookie.nextStep,
        patches: poke.patches)
    }
    var encoder = encoder
    encoder.chunkBytes = faults.chunkBytes
    let frames = encoder.frames(
      poke, protocolVersion: connection.parameters?.protocolVersion ?? SyncProtocol.version)
    let half = frames.prefix(max(1, frames.count - 1))
    switch fault {
    case .cancel:
      for frame in half { connection.send(frame) }
      connection.send(encoder.cancel(poke))
      for frame in frames { connection.send(frame) }
    case .drop, .fail, .close, .unknownMessage:
      for frame in half { connection.send(frame) }
      if let fault { apply(fault, to: connection) }
    case .wrongBase, nil: for frame in frames { connection.send(frame) }
    }
  }

  /// Lets a fault strike if one is due.
  /// - Returns: whether the event is over with that.
  func strike(_ point: Faults.Point, _ connection: ServerConnection) -> Bool {
    guard let fault = faults.take(point, clientID: connection.clientID) else { return false }
    apply(fault, to: connection)
    if case .unknownMessage = fault { return false }
    return true
  }

  // MARK: -

  func apply(_ fault: Faults.Kind, to connection: ServerConnection) {
    switch fault {
    case .fail(let error): fail(connection, error)
    case .drop, .cancel, .wrongBase:
      connection.abort()
      closed(connection)
    case .close(let code, let reason):
      connection.close(code: code, reason: reason)
      closed(connection)
    case .unknownMessage: connection.send(.array([.string("unheardOf"), .object([:])]))
    }
  }

  private func group(_ id: String) -> ClientGroup {
    if let group = groups[id] { return group }
    let group = ClientGroup(id: id, database: database, engine: engine)
    groups[id] = group
    return group
  }

  private func forwarded(_ request: UpgradeRequest) -> [(name: String, value: String)] {
    request.headers.filter { ["origin", "cookie"].contains($0.name.lowercased()) }
  }

  private func receive(
    _ push: Push, from connection: ServerConnection, _ group: ClientGroup
  ) {
    var mutations: [PushedMutation] = []
    for mutation in push.mutations {
      guard case .custom(let name, let arguments) = mutation.content else {
        return fail(
          connection,
          GroupError(
            kind: "InvalidPush", message: "CRUD mutations are not supported by this server"))
      }
      guard let id = UInt64(exactly: mutation.id.id) else {
        return fail(
          connection,
          GroupError(
            kind: "InvalidMessage", message: "mutation ID \(mutation.id.id) is not a counter"))
      }
      mutations.append(
        PushedMutation(
          id: id, clientID: mutation.id.clientID, name: name, arguments: arguments,
          json: [
            "type": .string("custom"), "id": .number(Double(id)),
            "clientID": .string(mutation.id.clientID), "name": .string(name),
            "timestamp": .number(mutation.timestamp), "args": .array(arguments),
          ]))
    }
    var body: JSONObject = [
      "clientGroupID": .string(push.clientGroupID), "timestamp": .number(push.timestamp),
      "pushVersion": .number(push.pushVersion), "requestID": .string(push.requestID),
    ]
    body["schemaVersion"] = push.schemaVersion.map(JSONValue.number)
    perform(
      group.push(mutations, body, from: connection.id, at: scheduler.monotonicTime), of: group)
    _ = strike(.afterPush, connection)
  }

  private func answer(_ request: InspectRequest) -> JSONObject {
    if case .version = request.operation {
      return [
        "op": .string("version"), "id": .string(request.id),
        "value": .string(Self.referenceVersion),
      ]
    }
    return [
      "op": .string("error"), "id": .string(request.id),
      "value": .string("the development server does not offer this inspection"),
    ]
  }
}

extension GroupRequest.Initialization {
  init(_ body: InitConnection) {
    desired = body.desiredQueriesPatch.map(DesiredQueryChange.init)
    clientSchema = body.clientSchema
    deleted = body.deleted?.clientIDs ?? []
    activeClients = body.activeClients
    queryEndpoint.url = body.userQueryURL
    queryEndpoint.headers = body.userQueryHeaders?.entries ?? []
    pushEndpoint.url = body.userPushURL
    pushEndpoint.headers = body.userPushHeaders?.entries ?? []
  }
}

extension DesiredQueryChange {
  init(_ op: DesiredQueryOp) {
    switch op {
    case .del(let hash): self = .delete(hash: hash)
    case .clear: self = .clear
    case .put(let query):
      let definition: QueryRecord.Definition? =
        if let name = query.name {
          .named(name, arguments: query.args ?? [])
        } else {
          query.ast.map(QueryRecord.Definition.ast)
        }
      self = .put(hash: query.hash, definition, ttl: query.ttl)
    }
  }
}
