import ZeroContracts
@_spi(Engine) import ZeroProtocol
import ZeroVectors

/// A server in memory that keeps every version of its rows, processes each mutation once, and can
/// bring a client from any version to the latest.
@MainActor final class SessionServer {
  struct Version {
    var rows = SessionRows()
    var lastMutationIDs: [String: Double] = [:]
    /// Hashes that each client is taken to want.
    var desired: [String: Set<String>] = [:]
    var got: Set<String> = []
    /// By client and mutation, results that were not acknowledged.
    var results: [String: [Int: String]] = [:]
  }

  /// All versions; a cookie names one.
  private(set) var versions = [Version()]
  /// Groups that the server does not know any more.
  private(set) var forgotten: Set<String> = []
  /// Mutations that failed here, by client and ID.
  private(set) var refused: Set<String> = []
  /// What a client has done that it must not.
  private(set) var violation: String?

  /// How many messages are read before the connection breaks; nil if it does not.
  var messagesUntilCut: Int?

  private var connection: Connection?
  private var pokes = 0

  private final class Connection {
    let socket: InMemorySocket
    let clientID: String
    let groupID: String
    var version: Int

    init(_ socket: InMemorySocket, clientID: String, groupID: String, version: Int) {
      self.socket = socket
      self.clientID = clientID
      self.groupID = groupID
      self.version = version
    }
  }

  var latest: Version { versions[versions.count - 1] }

  /// A cookie is longer than every other and larger as a text.
  static func version(of cookie: String?) -> Int {
    cookie.flatMap { Int($0.prefix { $0 != "." }) } ?? 0
  }

  /// The rows change by another's doing.
  func change(_ step: SessionStep) {
    var next = latest
    if let rows = next.rows.after(step, isReplayed: false) { next.rows = rows }
    versions.append(next)
  }

  /// Claims to have processed mutations that nobody made.
  func jump(by count: Double) {
    guard let connection else { return }
    var next = latest
    next.lastMutationIDs[connection.clientID, default: 0] += count
    versions.append(next)
  }

  func forgetGroup() {
    if let connection { forgotten.insert(connection.groupID) }
  }

  /// Accepts the socket if it is opening, and reads what was sent on it.
  func serve(_ socket: InMemorySocket) throws {
    if socket.state == .connecting { try open(socket) }
    guard let connection, connection.socket === socket else { return }
    for case .text(let text) in socket.takeSent() {
      if let left = messagesUntilCut {
        messagesUntilCut = left == 0 ? nil : left - 1
        if left == 0 { return socket.finish(SocketClose(code: 1006, wasClean: false)) }
      }
      try receive(text, connection)
    }
  }

  /// The messages that bring the client to the latest version.
  /// - Parameter extra: more members of parts, which change nothing that the client shows.
  func poke(_ extra: [String] = []) -> [String] {
    guard let connection, connection.version < versions.count - 1 else { return [] }
    let (old, new) = (versions[connection.version], latest)
    pokes += 1
    let base = connection.version == 0 ? "null" : "\"\(cookie(connection.version))\""
    var pieces = Self.rowOperations(from: old.rows, to: new.rows).map { #""rowsPatch":[\#($0)]"# }
    pieces += old.got.symmetricDifference(new.got).map {
      #""gotQueriesPatch":[{"op":"\#(new.got.contains($0) ? "put" : "del")","hash":"\#($0)"}]"#
    }
    for (client, hashes) in new.desired {
      let before = old.desired[client] ?? []
      pieces += before.symmetricDifference(hashes).map {
        #""desiredQueriesPatches":{"\#(client)":[{"op":"\#(hashes.contains($0) ? "put" : "del")","#
          + #""hash":"\#($0)"}]}"#
      }
    }
    for (client, id) in new.lastMutationIDs where old.lastMutationIDs[client] != id {
      pieces.append(#""lastMutationIDChanges":{"\#(client)":\#(id)}"#)
    }
    let (before, after) = (
      old.results[connection.clientID] ?? [:], new.results[connection.clientID] ?? [:]
    )
    for (id, message) in after where before[id] == nil {
      pieces.append(
        #""mutationsPatch":[{"op":"put","mutation":{"id":{"clientID":"\#(connection.clientID)","#
          + #""id":\#(id)},"result":{"error":"app","message":"\#(message)"}}}]"#)
    }
    for id in before.keys where after[id] == nil {
      pieces.append(
        #""mutationsPatch":[{"op":"del","id":{"clientID":"\#(connection.clientID)","id":\#(id)}}]"#)
    }
    pieces += extra
    connection.version = versions.count - 1
    let pokeID = "p\(pokes)"
    return [#"["pokeStart",{"pokeID":"\#(pokeID)","baseCookie":\#(base)}]"#]
      + pieces.map { #"["pokePart",{"pokeID":"\#(pokeID)",\#($0)}]"# }
      + [#"["pokeEnd",{"pokeID":"\#(pokeID)","cookie":"\#(cookie(connection.version))"}]"#]
  }

  // MARK: -

  private func cookie(_ version: Int) -> String {
    let text = "\(version)"
    return String(repeating: "0", count: max(0, 8 - text.utf8.count)) + text + ".x"
  }

  private func open(_ socket: InMemorySocket) throws {
    func parameter(_ name: String) -> String {
      socket.request.url.split(separator: "?").last?.split(separator: "&")
        .first { $0.hasPrefix("\(name)=") }
        .map { String($0.dropFirst(name.utf8.count + 1)) } ?? ""
    }
    let version = Self.version(of: parameter("baseCookie"))
    guard version < versions.count else { throw VectorFailure("a cookie that was never given") }
    let connection = Connection(
      socket, clientID: parameter("clientID"), groupID: parameter("clientGroupID"),
      version: version)
    self.connection = connection
    socket.accept()
    if forgotten.contains(connection.groupID) {
      socket.receive(
        text: #"["error",{"kind":"ClientNotFound","message":"who?","origin":"zeroCache"}]"#)
      return
    }
    socket.receive(text: #"["connected",{"wsid":"w"}]"#)
    guard let header = socket.request.subprotocols.first else { return }
    if let message = try SocketProtocolToken(header: header).initConnectionMessage {
      try receive(message.jsonText, connection)
    }
  }

  private func receive(_ text: [UInt8], _ connection: Connection) throws {
    switch try UpstreamMessage(text: text) {
    case .push(let push): for mutation in push.mutations { try apply(mutation) }
    case .ping: connection.socket.receive(text: #"["pong",{}]"#)
    case .initConnection(let message): want(message.desiredQueriesPatch, connection.clientID)
    case .changeDesiredQueries(let message): want(message.desiredQueriesPatch, connection.clientID)
    case .ackMutationResponses(let message):
      var next = latest
      next.results[message.clientID] = next.results[message.clientID]?.filter {
        Double($0.key) > message.id
      }
      versions.append(next)
    default: break
    }
  }

  private func want(_ patch: [DesiredQueryOp], _ clientID: String) {
    guard !patch.isEmpty else { return }
    var next = latest
    for operation in patch {
      switch operation {
      case .put(let query):
        next.desired[clientID, default: []].insert(query.hash)
        next.got.insert(query.hash)
      case .del(let hash): next.desired[clientID]?.remove(hash)
      case .clear: next.desired[clientID] = []
      }
    }
    versions.append(next)
  }

  private func apply(_ mutation: MutationMessage) throws {
    let (client, id) = (mutation.id.clientID, mutation.id.id)
    let last = latest.lastMutationIDs[client] ?? 0
    // Sent again, since the client cannot know that it arrived.
    if id <= last { return }
    guard id == last + 1 else {
      violation = violation ?? "mutation \(id) of \(client) came after \(last)"
      return
    }
    guard case .custom(let name, let args) = mutation.content, let json = args.first else {
      throw VectorFailure("a mutation that is not understood")
    }
    let step = try JSONValueDecoder().decode(SessionStep.self, from: json)
    guard step.kind.rawValue == name else { throw VectorFailure("\(name) is not \(step.kind)") }
    var next = latest
    next.lastMutationIDs[client] = id
    if step.kind != .refused, let rows = next.rows.after(step, isReplayed: false) {
      next.rows = rows
    } else {
      refused.insert("\(client)/\(Int(id))")
      next.results[client, default: [:]][Int(id)] = "refused here"
    }
    versions.append(next)
  }

  private static func rowOperations(from old: SessionRows, to new: SessionRows) -> [String] {
    func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    func operation(_ name: String, _ table: String, _ member: String, _ row: JSONObject) -> String {
      #"{"op":"\#(name)","tableName":"\#(table)","\#(member)":\#(JSONValue.object(row).jsonString)}"#
    }
    var operations: [String] = []
    for (key, item) in new.items where old.items[key]?.spelling != item.spelling {
      operations.append(
        operation(
          "put", "items", "value",
          [
            "id": text(item.id), "title": text(item.title), "rank_order": .number(item.rank),
            "owner": text(item.owner),
          ]))
    }
    for (key, item) in old.items where new.items[key] == nil {
      operations.append(operation("del", "items", "id", ["id": text(item.id)]))
    }
    for (key, note) in new.notes where old.notes[key]?.spelling != note.spelling {
      let id: JSONObject = ["item_id": text(note.itemID), "number": .number(note.number)]
      if old.notes[key] == nil {
        var row = id
        row["body"] = text(note.body)
        operations.append(operation("put", "note", "value", row))
      } else {
        let (key, merge) = (
          JSONValue.object(id).jsonString,
          JSONValue.object(["body": text(note.body)]).jsonString
        )
        operations.append(
          #"{"op":"update","tableName":"note","id":\#(key),"merge":\#(merge)}"#)
      }
    }
    for (key, note) in old.notes where new.notes[key] == nil {
      operations.append(
        operation(
          "del", "note", "id", ["item_id": text(note.itemID), "number": .number(note.number)]))
    }
    return operations
  }
}
