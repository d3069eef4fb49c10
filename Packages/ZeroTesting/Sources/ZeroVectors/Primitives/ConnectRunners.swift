import ZeroProtocol

extension VectorRunner {
  static let serverURL = VectorRunner(
    fields: ["server", "result", "throws", "ws", "http", "withPath"]
  ) { test in
    let server = try test.value("server").json()
    if test.has("throws") {
      guard case .string(let text)? = server else { throw VectorFailure("server is no string") }
      return try expectThrows("server") { try ServerURL(text) }
    }
    switch server {
    case nil, .null?: try expectEqual(.null, try test.json("result"), "result")
    case .string(let text)?:
      let url = try ServerURL(text)
      try expectEqual(url.string, try test.string("result"), "result")
      try expectEqual(url.webSocketOrigin, try test.string("ws"), "ws")
      try expectEqual(
        ServerURL.httpURL(webSocketURL: url.webSocketOrigin), try test.string("http"), "http")
      // The recorded path has version 0.
      try expectEqual(
        ServerURL.append(path: "/sync/v0/connect", to: url.webSocketOrigin),
        try test.string("withPath"), "withPath")
    default: throw VectorFailure("server is no string")
    }
  }

  static let urlAppendPath = VectorRunner(fields: ["url", "path", "result"]) { test in
    try expectEqual(
      ServerURL.append(path: try test.string("path"), to: try test.string("url")),
      try test.string("result"), "result")
  }

  static let connectURL = VectorRunner(
    fields: ["input", "url", "warnings"],
    prepare: { file in
      let version = try protocolVersion(file)
      return { test in
        let input = try ConnectInput(try test.object("input"))
        try input.finish()
        let url = ConnectURL(
          origin: input.socketOrigin, version: version, try input.parameters(profileID: nil))
        try expectEqual(url.string, try test.string("url"), "url")
        let warnings = test.has("warnings") ? try test.array("warnings") : []
        try expectEqual(
          url.skippedParameters.count, warnings.count, "number of skipped parameters")
        for (name, warning) in zip(url.skippedParameters, warnings) {
          guard case .string(let text) = warning, text.hasSuffix(" \(name)") else {
            throw VectorFailure("skipped \(name), expected \(warning.jsonString)")
          }
        }
      }
    })

  static let secProtocol = VectorRunner(
    fields: ["initConnectionMessage", "authToken", "json", "header", "decoded", "throws"]
  ) { test in
    let header = try test.string("header")
    if test.has("throws") {
      return try expectThrows("header") { try SocketProtocolToken.json(header: header) }
    }
    if test.has("json") {
      let token = SocketProtocolToken(
        initConnectionMessage: try test.value("initConnectionMessage").json(),
        authToken: try test.value("authToken").json().map { _ in
          try test.value("authToken").text()
        })
      try expectEqual(token.json.jsonString, try test.string("json"), "json")
      try expectEqual(token.header, header, "header")
      try expectEqual(try SocketProtocolToken(header: header), token, "the token decoded again")
    }
    guard let decoded = try test.value("decoded").json() else {
      throw VectorFailure("decoded is undefined")
    }
    try expectEqual(try SocketProtocolToken.json(header: header), decoded, "decoded")
  }

  static let connectSocket = VectorRunner(
    fields: [
      "input", "url", "protocol", "protocolJSON", "binaryType", "sentInHeader",
      "deletedClientsLeftToSend", "warnings",
    ],
    headerFields: ["clientSchema", "defaultMaxHeaderLength", "profileID"],
    prepare: { file in
      let version = try protocolVersion(file)
      let clientSchema = try ClientSchema(json: try file.header("clientSchema"))
      try expectEqual(
        .number(Double(ConnectRequest.standardMaxHeaderLength)),
        try file.header("defaultMaxHeaderLength"), "defaultMaxHeaderLength")
      guard case .string(let profileID) = try file.header("profileID") else {
        throw VectorFailure("profileID is no string")
      }
      return { test in
        let input = try ConnectInput(try test.object("input"))
        let url = ConnectURL(
          origin: input.socketOrigin, version: version,
          try input.parameters(profileID: profileID))
        let request = ConnectRequest(
          url: url, initConnection: try input.initConnection(clientSchema),
          auth: try input.string("auth"),
          maxHeaderLength: try input.number("maxHeaderLength").flatMap { Int(exactly: $0) }
            ?? ConnectRequest.standardMaxHeaderLength)
        try input.finish()
        try check(request, test)
      }
    })

  static let clientOptions = VectorRunner(fields: ["options", "ok", "throws"]) { test in
    guard case .object(let options)? = try test.value("options").json() else {
      throw VectorFailure("options are no object")
    }
    guard test.has("throws") else { return try checkOptions(options) }
    do {
      try checkOptions(options)
    } catch is OptionError {
      return
    }
    throw VectorFailure("accepted, should be refused")
  }

  // MARK: -

  private static func protocolVersion(_ file: VectorFile) throws -> Int {
    guard let version = file.protocolVersion, SyncProtocol.supportedVersions.contains(version)
    else { throw VectorFailure("protocol version is not supported") }
    return version
  }

  private static func check(_ request: ConnectRequest, _ test: VectorCase) throws {
    try expectEqual(request.url.string, try test.string("url"), "url")
    switch try test.json("protocol") {
    case .string(let text): try expectEqual(request.subprotocol, text, "protocol")
    case .object(let object):
      guard case .number(let length)? = object["length"], case .string(let head)? = object["head"],
        object.count == 2
      else { throw VectorFailure("protocol is not understood") }
      try expectEqual(Double(request.subprotocol.utf8.count), length, "length of protocol")
      guard request.subprotocol.hasPrefix(head) else { throw VectorFailure("head of protocol") }
    default: throw VectorFailure("protocol is not understood")
    }
    let json = try SocketProtocolToken.json(header: request.subprotocol).jsonString
    switch try test.json("protocolJSON") {
    case .string(let text): try expectEqual(json, text, "protocolJSON")
    case .object(let object):
      guard case .number(let length)? = object["length"], object.count == 1 else {
        throw VectorFailure("protocolJSON is not understood")
      }
      try expectEqual(Double(json.utf16.count), length, "length of protocolJSON")
    default: throw VectorFailure("protocolJSON is not understood")
    }
    try expectEqual(try test.string("binaryType"), "arraybuffer", "binaryType")
    try expectEqual(
      request.carriesInitConnection, try test.bool("sentInHeader"), "sentInHeader")
    let deleted = request.deletedLeftToSend.map {
      UpstreamMessage.deleteClients($0).jsonValue
    }
    let expected = try test.value("deletedClientsLeftToSend").json().map {
      JSONValue.array([.string("deleteClients"), $0])
    }
    try expectEqual(deleted ?? .null, expected ?? .null, "deletedClientsLeftToSend")
    let warnings = test.has("warnings") ? try test.array("warnings").count : 0
    try expectEqual(
      request.url.skippedParameters.count + (request.isTooLong ? 1 : 0), warnings,
      "number of warnings")
  }

  private static func checkOptions(_ options: JSONObject) throws {
    func string(_ name: String) throws -> String? {
      switch options[name] {
      case nil, .null?: return nil
      case .string(let text)?: return text
      default: throw VectorFailure("\(name) is no string")
      }
    }
    // The last of these have no rules.
    let known: Set = [
      "userID", "auth", "server", "cacheURL", "hiddenTabDisconnectDelay", "storageKey", "logLevel",
      "mutateURL", "queryURL", "getQueriesURL", "maxHeaderLength", "disconnectTimeoutMs",
      "pingTimeoutMs", "queryChangeThrottleMs", "maxRecentQueries",
    ]
    for (name, _) in options.members where !known.contains(name) {
      throw VectorFailure("option \(name) is not understood")
    }
    try OptionRules.checkIdentity(userID: try string("userID"), auth: try string("auth"))
    if let url = try string("cacheURL") ?? string("server") { _ = try ServerURL(url) }
    switch options["hiddenTabDisconnectDelay"] {
    case nil, .null?: break
    case .number(let delay)?:
      try OptionRules.checkDelay(milliseconds: delay, option: "hiddenTabDisconnectDelay")
    default: throw VectorFailure("hiddenTabDisconnectDelay is no number")
    }
  }
}

/// The input of a case about connecting, which knows what was not looked at.
private final class ConnectInput {
  private let members: [(key: String, value: VectorValue)]
  private var rest: Set<String>
  private let raw: JSONObject
  let socketOrigin: String

  init(_ object: JSONObject) throws {
    raw = object
    // Encodings that only these files have are expanded where they are used.
    members = try object.members.filter { $0.key != "patch" && $0.key != "auth" }.map {
      ($0.key, try VectorValue($0.value))
    }
    rest = Set(object.members.map(\.key))
    guard case .string(let origin)? = object["socketOrigin"] else {
      throw VectorFailure("no socketOrigin")
    }
    socketOrigin = origin
    rest.remove("socketOrigin")
    for name in ["clientID", "clientGroupID", "userID", "baseCookie", "ts", "lmid", "wsid"] {
      rest.remove(name)
    }
    for name in ["debugPerf", "params", "profileID"] { rest.remove(name) }
  }

  /// Fails if a member of the input was not understood.
  func finish() throws {
    guard rest.isEmpty else { throw VectorFailure("input \(rest.sorted()) is not understood") }
  }

  func parameters(profileID: String?) throws -> ConnectURL.Parameters {
    ConnectURL.Parameters(
      clientID: try string("clientID") ?? "", clientGroupID: try string("clientGroupID") ?? "",
      userID: try string("userID"), baseCookie: try string("baseCookie"),
      timestamp: try number("ts") ?? 0, lastMutationID: try number("lmid") ?? 0,
      wsid: try string("wsid") ?? "", profileID: try profileID ?? string("profileID") ?? "",
      isDebugging: try json("debugPerf") == .bool(true),
      extra: try namedStrings(try json("params")) ?? [:])
  }

  func initConnection(_ schema: ClientSchema) throws -> InitConnection {
    InitConnection(
      desiredQueriesPatch: try patch(),
      deleted: DeleteClients(try deleted(), of: try string("clientGroupID") ?? ""),
      clientSchema: try string("baseCookie") == nil ? schema : nil,
      userPushURL: try string("pushURL"),
      userPushHeaders: try namedStrings(try json("pushHeaders")),
      userQueryURL: try string("queryURL"),
      userQueryHeaders: try namedStrings(try json("queryHeaders")),
      activeClients: try strings("activeClients"))
  }

  func string(_ name: String) throws -> String? {
    rest.remove(name)
    if case .object(let object)? = raw[name], case .string("repeat")? = object["$"] {
      guard case .string(let text)? = object["text"], case .number(let count)? = object["count"],
        let count = Int(exactly: count), object.count == 3
      else { throw VectorFailure("\(name) is not understood") }
      return String(repeating: text, count: count)
    }
    let value = try members.first { $0.key == name }?.value ?? raw[name].map { try VectorValue($0) }
    switch value {
    case nil, .undefined?, .null?: return nil
    case let value?: return try value.text()
    }
  }

  func number(_ name: String) throws -> Double? {
    switch try json(name) {
    case nil: return nil
    case .number(let number)?: return number
    default: throw VectorFailure("\(name) is no number")
    }
  }

  // MARK: -

  private func json(_ name: String) throws -> JSONValue? {
    rest.remove(name)
    return try members.first { $0.key == name }?.value.json()
  }

  private func strings(_ name: String) throws -> [String]? {
    guard let json = try json(name) else { return nil }
    return try VectorRunner.strings(json)
  }

  private func deleted() throws -> [DeletedClient] {
    guard case .array(let elements)? = try json("deleted") else { return [] }
    return try elements.map { element in
      guard case .object(let pair) = element, pair.count == 2,
        case .string(let group)? = pair["clientGroupID"], case .string(let id)? = pair["clientID"]
      else { throw VectorFailure("deleted is not understood") }
      return DeletedClient(clientGroupID: group, clientID: id)
    }
  }

  private func patch() throws -> [DesiredQueryOp] {
    rest.remove("patch")
    if case .object(let object)? = raw["patch"], case .string("repeat-put")? = object["$"] {
      guard case .number(let count)? = object["count"], let count = Int(exactly: count),
        case .string(let prefix)? = object["hashPrefix"], object.count == 3
      else { throw VectorFailure("patch is not understood") }
      return (0..<count).map { index in
        let hash = "\(prefix)\(index)"
        return .put(
          DesiredQuery(
            hash: hash, name: "q.\(hash)", args: [.object(["a": .string(hash)])], ttl: 300_000))
      }
    }
    guard let raw = raw["patch"], case .array? = try VectorValue(raw).json() else {
      throw VectorFailure("patch is not understood")
    }
    return try desiredQueryOps(try VectorValue(raw).json() ?? .null)
  }
}

/// A patch of desired queries. A `put` without a name, as in what was sent before, is fine.
func desiredQueryOps(_ json: JSONValue) throws -> [DesiredQueryOp] {
  let message = try UpstreamMessage(
    json: .array([
      .string("changeDesiredQueries"), .object(["desiredQueriesPatch": json]),
    ]))
  guard case .changeDesiredQueries(let body) = message else { return [] }
  return body.desiredQueriesPatch
}
