import ZeroContracts
import ZeroProtocol
import ZeroStoreMemory

@testable import ZeroDevServer

/// A development server over two small tables, with hand-driven time and sockets that keep a log.
@MainActor final class TestServer {
  let scheduler = ManualScheduler()
  let server: DevServer
  private(set) var clients: [TestSocket] = []

  nonisolated static let schema = ZeroSchema(tables: [
    TableDescriptor(
      "note",
      columns: [
        ColumnDescriptor("id", .string), ColumnDescriptor("text", .string),
        ColumnDescriptor("folderId", server: "folder_id", .string, optional: true),
      ],
      primaryKey: ["id"]),
    TableDescriptor(
      "folder", columns: [ColumnDescriptor("id", .string)], primaryKey: ["id"]),
  ])

  /// - Parameter provider: where the server keeps what it has; nowhere without it.
  init(keptIn provider: MemoryStoreProvider? = nil) throws {
    let schema = try DatabaseSchema(
      Self.schema, foreignKeys: [ForeignKey("note", ["folder_id"], references: "folder")])
    server = DevServer(
      schema: schema, engine: ScanEngine(), registry: Self.registry,
      tokens: TokenList(["t-ann": "ann", "t-bob": "bob"]), scheduler: scheduler)
    if let provider, try server.keep(in: provider) { return }
    try server.load([
      ("folder", [["id": .string("f1")], ["id": .string("f2")]]),
      (
        "note",
        [
          ["id": .string("n1"), "text": .string("one"), "folder_id": .string("f1")],
          ["id": .string("n2"), "text": .string("two"), "folder_id": .string("f2")],
        ]
      ),
    ])
  }

  private static var registry: ServerRegistry {
    var registry = ServerRegistry()
    registry.query("notes") { _, _ in AST(table: "note") }
    registry.query("inFolder") { argument, _ in
      let value: Value = if case .string(let text)? = argument { .string(text) } else { .null }
      return AST(table: "note", where: .simple(column: "folderId", .equal, value))
    }
    registry.query("notes.inFolder") { _, _ in AST(table: "note") }
    registry.query("refused") { _, _ in
      throw ApplicationError("no", details: .object(["code": .number(7)]))
    }
    registry.mutator("add") { transaction, argument, _ in
      guard case .object(let note)? = argument else { throw ApplicationError("no note") }
      try transaction.insert("note", note)
    }
    registry.mutator("remove") { transaction, argument, _ in
      guard case .object(let note)? = argument else { throw ApplicationError("no note") }
      try transaction.delete("note", note)
    }
    registry.mutator("addThenThrow") { transaction, argument, _ in
      guard case .object(let note)? = argument else { throw ApplicationError("no note") }
      try transaction.insert("note", note)
      throw ApplicationError("changed my mind")
    }
    return registry
  }

  /// Opens a connection whose first message is in the subprotocol.
  /// - Parameter initialize: members of `initConnection`; nil to leave it out.
  @discardableResult
  func connect(
    _ client: String = "c1", group: String = "g1", cookie: String = "", user: String? = nil,
    token: String? = nil, version: Int = 52, initialize: String? = "desiredQueriesPatch:[]",
    withSchema: Bool = true
  ) -> TestSocket {
    let socket = TestSocket()
    clients.append(socket)
    let request = Self.request(
      client, group: group, cookie: cookie, user: user, token: token, version: version,
      initialize: initialize, withSchema: withSchema)
    socket.connection = server.open(request, socket)
    return socket
  }

  /// The request of a client whose first message is in the subprotocol.
  static func request(
    _ client: String = "c1", group: String = "g1", cookie: String = "", user: String? = nil,
    token: String? = nil, version: Int = 52, initialize: String? = "desiredQueriesPatch:[]",
    withSchema: Bool = true
  ) -> UpgradeRequest {
    var subprotocol: JSONObject = [:]
    subprotocol["authToken"] = token.map(JSONValue.string)
    if let initialize {
      var body = Self.json(initialize)
      if withSchema, case .object(var object) = body {
        object["clientSchema"] = Self.schema.clientSchema.jsonValue
        body = .object(object)
      }
      subprotocol["initConnectionMessage"] = .array([.string("initConnection"), body])
    }
    var target = "/sync/v\(version)/connect?clientID=\(client)&clientGroupID=\(group)"
    target += "&baseCookie=\(cookie)&ts=1.5&lmid=0&wsid=w-\(client)"
    if let user { target += "&userID=\(user)" }
    return UpgradeRequest(
      target: target,
      headers: [("Sec-WebSocket-Protocol", Self.token(.object(subprotocol)))])
  }

  /// JSON with unquoted keys and single quotes, for short tests.
  static func json(_ short: String) -> JSONValue {
    var text = ""
    var word = ""
    var isQuoted = false
    func isWordCharacter(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || "_-.".contains(character)
    }
    for character in "{\(short)}" {
      if character == "'" {
        isQuoted.toggle()
        text += "\""
      } else if isQuoted {
        text.append(character)
      } else if isWordCharacter(character) {
        word.append(character)
      } else {
        text += character == ":" && !word.isEmpty ? "\"\(word)\"" : word
        word = ""
        text.append(character)
      }
    }
    return (try? JSONValue(parsing: text)) ?? .null
  }

  private static func token(_ json: JSONValue) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let bytes = json.jsonText
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for place in 0..<3 {
        let byte = place < group.count ? group[group.startIndex + place] : 0
        bits = bits << 8 | UInt32(byte)
      }
      for place in 0..<(group.count + 1) {
        text.append(alphabet[Int(bits >> UInt32(18 - 6 * place)) & 63])
      }
    }
    return String(decoding: text, as: UTF8.self)
      .replacing("+", with: "%2B").replacing("/", with: "%2F")
  }
}

/// The client's end: what was sent to it, in short lines.
@MainActor final class TestSocket: DevServerSocket {
  var connection: ServerConnection?
  private var lines: [String] = [] {
    didSet { wakeIfFound() }
  }
  private var waiting: (text: String, continuation: CheckedContinuation<Void, Never>)?
  private(set) var frames: [PokeEncoder.Frame] = []
  private var chunks: [UInt8] = []

  /// The lines since the last call.
  func log() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Returns when a line that contains `text` is in the log.
  func wait(for text: String) async {
    await withCheckedContinuation { continuation in
      waiting = (text, continuation)
      wakeIfFound()
    }
  }

  private func wakeIfFound() {
    guard let waiting, lines.contains(where: { $0.contains(waiting.text) }) else { return }
    self.waiting = nil
    waiting.continuation.resume()
  }

  /// Sends `[type, {short}]`.
  func send(_ type: String, _ short: String = "") {
    let message = JSONValue.array([.string(type), TestServer.json(short)])
    connection?.receive(.text(message.jsonText))
  }

  /// Pushes one mutation.
  func push(_ id: Int, _ name: String, _ argument: String, client: String = "c1") {
    send(
      "push",
      "timestamp:1,clientGroupID:'g1',pushVersion:1,requestID:'r',mutations:[{type:'custom',"
        + "timestamp:1,id:\(id),clientID:'\(client)',name:'\(name)',args:[{\(argument)}]}]")
  }

  func send(text: [UInt8]) {
    frames.append(.text(text))
    guard case .array(let message)? = try? JSONValue(parsing: text), message.count == 2,
      case .string(let type) = message[0]
    else { return lines.append("not a message") }
    switch (type, message[1]) {
    case ("pokeStart", .object(let body)):
      lines.append("poke from \(Self.text(body["baseCookie"]))")
      chunks = []
    case ("pokePart", .object(let part)): describe(part)
    case ("pokeEnd", .object(let body)):
      if case .array(let parts)? = try? JSONValue(parsing: chunks) {
        for case .object(let part) in parts { describe(part) }
      }
      lines.append(
        body["cancel"] == nil ? "to \(Self.text(body["cookie"]))" : "cancelled")
    case ("error", .object(let body)):
      var line = "error \(Self.text(body["kind"]))"
      if let reason = body["reason"] { line += " \(Self.text(reason))" }
      lines.append("\(line): \(Self.text(body["message"]))")
    case ("connected", .object(let body)): lines.append("connected \(Self.text(body["wsid"]))")
    default: lines.append("\(type) \(message[1].jsonString)")
    }
  }

  func send(binary: [UInt8]) {
    frames.append(.binary(binary))
    chunks += binary.dropFirst()
  }

  func close(code: UInt16?, reason: String) {
    let code = code.map(String.init) ?? "without code"
    lines.append(reason.isEmpty ? "closed \(code)" : "closed \(code): \(reason)")
  }

  func abort() { lines.append("dropped") }

  // MARK: -

  private func describe(_ part: JSONObject) {
    for (name, value) in part.members {
      switch (name, value) {
      case ("lastMutationIDChanges", .object(let changes)):
        for (client, id) in changes.members { lines.append("  lmid \(client) \(id.jsonString)") }
      case ("desiredQueriesPatches", .object(let patches)):
        for (client, ops) in patches.members {
          for op in Self.objects(ops) { lines.append("  desired \(client) \(Self.op(op))") }
        }
      case ("gotQueriesPatch", let ops):
        for op in Self.objects(ops) { lines.append("  got \(Self.op(op))") }
      case ("rowsPatch", let ops):
        // Rows of a poke come in no particular order.
        lines += Self.objects(ops).map { "  \(Self.row($0))" }.sorted()
      case ("mutationsPatch", let ops):
        for op in Self.objects(ops) { lines.append("  result \(Self.result(op))") }
      default: break
      }
    }
  }

  private static func objects(_ value: JSONValue) -> [JSONObject] {
    guard case .array(let elements) = value else { return [] }
    return elements.compactMap { if case .object(let object) = $0 { object } else { nil } }
  }

  private static func op(_ op: JSONObject) -> String { "\(text(op["op"])) \(text(op["hash"]))" }

  private static func row(_ op: JSONObject) -> String {
    "\(text(op["op"])) \(text(op["tableName"])) \((op["value"] ?? op["id"] ?? .null).jsonString)"
  }

  private static func result(_ op: JSONObject) -> String {
    if case .object(let mutation)? = op["mutation"] {
      return "\((mutation["id"] ?? .null).jsonString) \((mutation["result"] ?? .null).jsonString)"
    }
    return "del \((op["id"] ?? .null).jsonString)"
  }

  private static func text(_ value: JSONValue?) -> String {
    if case .string(let text)? = value { text } else { value?.jsonString ?? "" }
  }
}
