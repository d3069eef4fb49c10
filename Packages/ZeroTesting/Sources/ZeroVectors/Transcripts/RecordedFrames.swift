@_spi(Engine) import ZeroProtocol

/// What went over the sockets of a recorded flow, and over HTTP to the app's API server.
struct RecordedFrames {
  /// Whether the client's messages were typed by hand and not written by the reference.
  let isTyped: Bool

  private var pokes: [Int: PokeAssembler] = [:]
  /// Sockets on which we refused something that a client sent, and on which the server did.
  private var refusedHere: Set<Int> = []
  private var refusedThere: Set<Int> = []

  init(isTyped: Bool) { self.isTyped = isTyped }

  mutating func check(_ event: VectorCase) throws {
    let type = try event.string("type")
    guard let fields = Self.fields[type] else { throw VectorFailure("type \(type) is unknown") }
    for (field, _) in event.object.members where !fields.contains(field) && field != "t" {
      throw VectorFailure("field \(field) of \(type) is not understood")
    }
    switch type {
    case "connect": try checkConnect(event)
    case "send": try checkSent(try text(event), on: try event.int("conn"))
    case "recv": try checkReceived(event)
    case "close": pokes[try event.int("conn")] = nil
    case "api": try checkAPI(event)
    default: break
    }
  }

  /// Compares what we refused with what the server refused.
  func finish() throws {
    try expectEqual(
      refusedHere.sorted(), refusedThere.sorted(), "sockets with a message that is refused")
  }

  // MARK: -

  private static let fields: [String: Set<String>] = [
    "connect": ["type", "conn", "client", "url", "secWebSocketProtocol", "decodedProtocol"],
    "open": ["type", "conn", "echoedProtocolMatches"],
    "send": ["type", "conn", "text", "base64"],
    "recv": ["type", "conn", "text", "base64", "byteLength"],
    "client-close": ["type", "conn", "code", "reason"],
    "close": ["type", "conn", "code", "reason", "wasClean"],
    "api": ["type", "url", "headers", "request", "status", "response"],
    "sql": ["type", "text"],
    "step": ["type", "text"],
    "client": ["type", "client", "what", "value"],
    "note": ["type", "text"],
  ]

  private func text(_ event: VectorCase) throws -> [UInt8] {
    event.has("text")
      ? Array(try event.string("text").utf8) : try decodeBase64(try event.string("base64"))
  }

  private mutating func checkConnect(_ event: VectorCase) throws {
    guard case .string(let header) = try event.json("secWebSocketProtocol") else { return }
    guard event.has("decodedProtocol"), case .object = try event.json("decodedProtocol") else {
      return try expectThrows("header") { try SocketProtocolToken(header: header) }
    }
    let token = try SocketProtocolToken(header: header)
    try expectEqual(token.json, try event.json("decodedProtocol"), "decodedProtocol")
    if !isTyped { try expectEqual(token.header, header, "header written again") }
    if let message = token.initConnectionMessage {
      try checkSent(message.jsonText, on: try event.int("conn"))
    }
  }

  private mutating func checkSent(_ text: [UInt8], on conn: Int) throws {
    let message: UpstreamMessage
    do {
      message = try UpstreamMessage(text: text)
    } catch {
      guard isTyped else { throw error }
      refusedHere.insert(conn)
      return
    }
    try expectEqual(message.jsonValue, try JSONValue(parsing: text), "message sent")
    if !isTyped {
      try expectEqual(
        String(decoding: message.text, as: UTF8.self), String(decoding: text, as: UTF8.self),
        "text of the message sent")
    }
  }

  private mutating func checkReceived(_ event: VectorCase) throws {
    let conn = try event.int("conn")
    guard event.has("text") else {
      let frame = try decodeBase64(try event.string("base64"))
      try expectEqual(frame.count, try event.int("byteLength"), "byteLength")
      guard pokes[conn] != nil else { throw VectorFailure("a chunk outside a poke") }
      try pokes[conn]?.add(frame)
      return
    }
    let text = Array(try event.string("text").utf8)
    let message = try DownstreamMessage(text: text, unknownMembers: .refused)
    try expectEqual(message.jsonValue, try JSONValue(parsing: text), "message received")
    switch message {
    case .pokeStart: pokes[conn] = PokeAssembler()
    case .pokeEnd:
      guard let poke = pokes.removeValue(forKey: conn) else {
        throw VectorFailure("the end of a poke that did not begin")
      }
      if !poke.isEmpty {
        let json = try JSONValue(parsing: poke.payload)
        let parts = try PokePart.parts(json: json, unknownMembers: .refused)
        try expectEqual(.array(parts.map(\.json)), json, "parts of a poke")
      }
    case .error(let error) where error.kind == .invalidMessage: refusedThere.insert(conn)
    default: break
    }
  }

  private func checkAPI(_ event: VectorCase) throws {
    let request = try event.json("request")
    let response = try event.json("response")
    let isSuccess = try event.int("status") / 100 == 2
    let url = try event.string("url")
    if url.utf8.starts(with: "/query?".utf8) {
      try expectEqual(try TransformRequest(json: request).json, request, "request")
      guard isSuccess else { return }
      try expectEqual(try TransformResponse(json: response).json, response, "response")
    } else if url.utf8.starts(with: "/mutate?".utf8) {
      try expectEqual(try Push(json: request).json, request, "request")
      guard isSuccess else { return }
      try expectEqual(try MutateResponse(json: response).json, response, "response")
    } else {
      throw VectorFailure("url \(url) is not understood")
    }
  }
}
