public import ZeroProtocol

extension DevServer {
  /// Carries out a command of the control endpoint.
  /// - Parameter json: an object whose member `do` names the command; the README lists them.
  /// - Returns: an object with `ok`, and with `error` if it is false.
  public func control(_ json: JSONValue) -> JSONValue {
    do {
      var answer: JSONObject = ["ok": .bool(true)]
      for (name, value) in try perform(try ControlRequest(json)).members { answer[name] = value }
      return .object(answer)
    } catch {
      let message = (error as? ControlRequest.Failure)?.message ?? "\(error)"
      return .object(["ok": .bool(false), "error": .string(message)])
    }
  }

  // MARK: -

  private func perform(_ request: ControlRequest) throws -> JSONObject {
    switch request.command {
    case "fail", "drop", "close", "cancel", "wrongBase", "unknownMessage":
      try addFault(request)
    case "delay":
      let delay = try request.number("ms", 0...3_600_000) ?? 0
      faults.delays[try request.optionalText("client")] = delay == 0 ? nil : delay
    case "pause": faults.paused.insert(try request.optionalText("client"))
    case "resume":
      let client = try request.optionalText("client")
      if client == nil { faults.paused = [] } else { faults.paused.remove(client) }
    case "chunk":
      faults.chunkBytes = Int(try request.number("bytes", 2...1_048_576) ?? 1_048_576)
    case "reset": faults = Faults()
    case "acceptToken":
      registryBackend?.tokens.accept(try request.text("token"), as: try request.text("userID"))
    case "revokeToken": registryBackend?.tokens.revoke(try request.text("token"))
    case "restoreToken": registryBackend?.tokens.restore(try request.text("token"))
    case "forgetGroup": forgetGroups(try request.optionalText("group"))
    case "hide", "show": try changeVisibility(request)
    case "write": try write(request)
    case "rows": return try rows(of: try request.text("table"))
    case "mutationIDs": return mutationIDs
    case "state": return state
    default: throw ControlRequest.Failure(message: "unknown command \"\(request.command)\"")
    }
    return [:]
  }

  private func addFault(_ request: ControlRequest) throws {
    let client = try request.optionalText("client")
    let isTampering = ["cancel", "wrongBase", "unknownMessage"].contains(request.command)
    let point = try request.optionalText("at") ?? (isTampering ? "poke" : nil)
    let kind: Faults.Kind =
      switch request.command {
      case "fail": .fail(try error(request))
      case "close":
        .close(
          try request.number("code", 1000...4999).map { UInt16($0) },
          try request.optionalText("reason") ?? "")
      case "cancel": .cancel
      case "wrongBase": .wrongBase
      case "unknownMessage": .unknownMessage
      default: .drop
      }
    guard let point else {
      for connection in connections.values.sorted(by: { $0.id.number < $1.id.number })
      where client == nil || connection.clientID == client {
        apply(kind, to: connection)
      }
      return
    }
    let count = Int(try request.number("count", 1...1_000_000) ?? 1)
    faults.add(kind, at: Faults.Point(name: point), clientID: client, count: count)
  }

  /// The error of a `fail` command: further members become members of its body.
  private func error(_ request: ControlRequest) throws(ControlRequest.Failure) -> GroupError {
    let kind = try request.text("kind")
    var details = request.rest(
      besides: ["kind", "message", "origin", "at", "client", "count", "code"])
    func addDefault(_ name: String, _ value: JSONValue) {
      if !details.contains(where: { $0.0 == name }) { details.append((name, value)) }
    }
    if kind == "PushFailed" || kind == "TransformFailed" {
      addDefault("reason", .string("internal"))
      addDefault(kind == "PushFailed" ? "mutationIDs" : "queryIDs", .array([]))
    }
    return GroupError(
      kind: kind,
      message: try request.optionalText("message") ?? "asked for by the control endpoint",
      origin: try request.optionalText("origin") ?? "zeroCache", details: details,
      closeCode: try request.number("code", 1000...4999).map { UInt16($0) })
  }

  private func forgetGroups(_ id: String?) {
    for group in groups.values where id == nil || group.id == id {
      perform(group.purge(at: scheduler.monotonicTime), of: group)
    }
  }

  private func changeVisibility(_ request: ControlRequest) throws {
    let table = try request.text("table")
    let name = try request.optionalText("column").map { "\(table).\($0)" } ?? table
    if request.command == "hide" {
      database.hidden.insert(name)
    } else {
      database.hidden.remove(name)
    }
    for group in groups.values {
      perform(group.schemaChanged(at: scheduler.monotonicTime), of: group)
    }
  }

  /// One transaction of rows, which may also confirm a mutation: how a backend that runs elsewhere
  /// makes the server's tables follow its own.
  private func write(_ request: ControlRequest) throws {
    let changes = try request.objects("changes")
    try write { transaction in
      for change in changes { try transaction.apply(change) }
      guard let mutation = request.object("mutation") else { return }
      guard case .string(let group)? = mutation["clientGroupID"],
        case .string(let client)? = mutation["clientID"], case .number(let id)? = mutation["id"],
        let id = UInt64(exactly: id)
      else {
        throw ControlRequest.Failure(
          message: "\"mutation\" needs \"clientGroupID\", \"clientID\" and \"id\"")
      }
      let key = ClientKey(group: group, client: client)
      if transaction.lastMutationID(of: key) < id { transaction.setLastMutationID(id, of: key) }
    }
  }

  private func rows(of name: String) throws -> JSONObject {
    let table = try database.schema.table(name)
    let rows = database.rows(of: table).map { row in
      (RowKey(row, table: table.ordinal).text.string, row)
    }.sorted { TextOrder.utf16($0.0, $1.0) < 0 }
    return [
      "rows": .array(
        rows.map { _, row in
          .object(
            JSONObject(
              table.layout.columns.enumerated().map { ($1.name, row[$0].jsonValue) }))
        })
    ]
  }

  /// The last mutation ID of every client.
  private var mutationIDs: JSONObject {
    let entries = database.lastMutationIDs.map { client, id in
      JSONValue.object([
        "clientGroupID": .string(client.group), "clientID": .string(client.client),
        "id": .number(Double(id)),
      ])
    }
    return ["mutationIDs": .array(entries)]
  }

  private var state: JSONObject {
    let groups = self.groups.values.sorted { $0.id < $1.id }.map { group in
      JSONValue.object([
        "id": .string(group.id), "version": .string(group.version.cookie),
        "clients": .array(group.querySet.clients.map(JSONValue.string)),
        "connections": .number(Double(group.connections.count)),
        "queries": .number(Double(group.querySet.order.count)),
        "rows": .number(Double(group.ledger.count)), "isPurged": .bool(group.isPurged),
      ])
    }
    return [
      "version": .number(Double(database.version)), "groups": .array(groups),
      "tables": .object(
        JSONObject(
          database.schema.tables.map {
            ($0.name, .number(Double(database.tables[$0.ordinal].count)))
          })),
    ]
  }
}

extension DatabaseTransaction {
  /// A change in server names: `{"op": "put" | "del", "table": …, "row": {…}}`.
  func apply(_ change: JSONObject) throws {
    guard case .string(let op)? = change["op"], case .string(let name)? = change["table"],
      case .object(let row)? = change["row"]
    else {
      throw ControlRequest.Failure(message: "a change needs \"op\", \"table\" and \"row\"")
    }
    let table = try database.schema.table(name)
    switch op {
    case "put": try upsert(table, row, names: .server)
    case "del": try delete(table, row, names: .server)
    default: throw ControlRequest.Failure(message: "unknown op \"\(op)\": put or del")
    }
  }
}
