import ZeroProtocol

/// What a server said on one connection, apart from IDs, cookies and times.
struct Conversation: Equatable {
  /// Everything but pokes, pongs that nobody asked for, and times, in order, with the close.
  var messages: [String] = []
  /// The contents of the pokes in order.
  var pokes: [Contents] = []
  /// Cookies as they were sent, for the pokes in order.
  var cookies: [(base: JSONValue, cookie: JSONValue)] = []

  /// What a poke, or several merged ones, leads to.
  struct Contents: Equatable {
    var desired: [String: String] = [:]
    var got: [String: String] = [:]
    var rows: [String: JSONValue] = [:]
    var results: [String: JSONValue] = [:]
    var lastMutationIDs: [String: JSONValue] = [:]

    var isEmpty: Bool { self == Contents() }

    func merged(with later: Contents) -> Contents {
      var merged = self
      merged.desired.merge(later.desired) { $1 }
      merged.got.merge(later.got) { $1 }
      merged.rows.merge(later.rows) { $1 }
      merged.results.merge(later.results) { $1 }
      merged.lastMutationIDs.merge(later.lastMutationIDs) { $1 }
      return merged
    }
  }

  /// The rows that the client has, on this connection or from those before.
  var rows: [String: JSONValue] = [:]

  private var open: (base: JSONValue, contents: Contents, chunks: [UInt8])?
  /// Pings that wait for their answer.
  private var pings = 0

  static func == (a: Self, b: Self) -> Bool {
    a.messages == b.messages && a.pokes == b.pokes
  }

  mutating func sent(_ bytes: [UInt8]) {
    if let message = try? JSONValue(parsing: bytes), message[0].text == "ping" { pings += 1 }
  }

  mutating func received(_ message: WireMessage) {
    guard case .text(let json) = message else {
      if case .chunk(let bytes) = message { open?.chunks += bytes.dropFirst() }
      return
    }
    let body = json[1]
    switch json[0].text {
    case "pokeStart": open = (body["baseCookie"], Contents(), [])
    case "pokePart": open?.contents.add(body)
    case "pokeEnd":
      guard var poke = open else { return messages.append("pokeEnd without pokeStart") }
      if !poke.chunks.isEmpty {
        let parts = (try? JSONValue(parsing: poke.chunks)) ?? .null
        for part in parts.elements { poke.contents.add(part) }
      }
      pokes.append(withoutRepetition(poke.contents))
      cookies.append((poke.base, body["cookie"]))
      open = nil
    case "pong":
      if pings > 0 {
        pings -= 1
        messages.append("pong")
      }
    case "connected": messages.append("connected \(body["wsid"].text)")
    case "error": messages.append("error \(Self.canonical(body, of: "error"))")
    case let type: messages.append("\(type) \(Self.canonical(body, of: type))")
    }
  }

  /// A server may send rows again that the client has as they are, and remove some it does not have.
  private mutating func withoutRepetition(_ contents: Contents) -> Contents {
    var news = contents
    for (key, value) in contents.rows {
      if (rows[key] ?? .null) == value { news.rows[key] = nil }
      rows[key] = value == .null ? nil : value
    }
    return news
  }

  mutating func closed(code: Int, reason: String) {
    if open != nil { messages.append("a poke was not finished") }
    messages.append("closed \(code) \(reason)")
  }

  /// JSON text with sorted members, without cookies and without the words about a message that cannot
  /// be read, which are those of a JavaScript library.
  private static func canonical(_ body: JSONValue, of type: String) -> String {
    var body = body
    if case .object(var object) = body {
      if body["kind"].text == "InvalidMessage" { object["message"] = nil }
      if body["message"].text.hasPrefix("CVR is at version ") {
        object["message"] = .string("CVR is at version COOKIE")
      }
      body = .object(object)
    }
    return sorted(body).jsonString
  }

  private static func sorted(_ json: JSONValue) -> JSONValue {
    switch json {
    case .array(let elements): .array(elements.map(sorted))
    case .object(let object):
      .object(
        JSONObject(
          object.members.sorted { TextOrder.utf16($0.key, $1.key) < 0 }
            .map { ($0.key, sorted($0.value)) }))
    default: json
    }
  }
}

extension Conversation.Contents {
  mutating func add(_ part: JSONValue) {
    guard case .object(let part) = part else { return }
    for (name, value) in part.members {
      switch (name, value) {
      case ("desiredQueriesPatches", .object(let patches)):
        for (client, ops) in patches.members {
          for op in ops.elements { desired["\(client) \(op["hash"].text)"] = op["op"].text }
        }
      case ("gotQueriesPatch", _):
        for op in value.elements { got[op["hash"].text] = op["op"].text }
      case ("lastMutationIDChanges", .object(let changes)):
        for (client, id) in changes.members { lastMutationIDs[client] = id }
      case ("mutationsPatch", _):
        for op in value.elements {
          let id = op["op"].text == "put" ? op["mutation"]["id"] : op["id"]
          results["\(id["clientID"].text) \(id["id"].number)"] = op["mutation"]["result"]
        }
      case ("rowsPatch", _):
        for op in value.elements {
          let id = op["op"].text == "put" ? op["value"] : op["id"]
          let key = op["tableName"].text == "issue_label" ? ["issue_id", "label_id"] : ["id"]
          rows["\(op["tableName"].text) \(key.map { id[$0].text })"] = op["value"]
        }
      default: break
      }
    }
  }
}

/// Compares two lists of pokes apart from where one is split in several.
enum PokeAlignment {
  /// What keeps the lists from being the same; nil if they are.
  static func difference(
    recorded: [Conversation.Contents], actual: [Conversation.Contents]
  ) -> String? {
    var reached: Set<[Int]> = [[0, 0]]
    var furthest = [0, 0]
    for i in 0...recorded.count {
      for j in 0...actual.count where reached.contains([i, j]) {
        furthest = max(furthest, [i, j]) { $0[0] + $0[1] < $1[0] + $1[1] }
        // One poke of either side stands for one or several of the other.
        for (right, down) in steps(recorded[i...], actual[j...]) {
          reached.insert([i + right, j + down])
        }
      }
    }
    if reached.contains([recorded.count, actual.count]) { return nil }
    let (i, j) = (furthest[0], furthest[1])
    return "after \(i) recorded and \(j) actual pokes: recorded "
      + "\(recorded.indices.contains(i) ? "\(recorded[i])" : "no more"), actual "
      + "\(actual.indices.contains(j) ? "\(actual[j])" : "no more")"
  }

  private static func max(
    _ a: [Int], _ b: [Int], by isLess: ([Int], [Int]) -> Bool
  ) -> [Int] { isLess(a, b) ? b : a }

  private static func steps(
    _ recorded: ArraySlice<Conversation.Contents>, _ actual: ArraySlice<Conversation.Contents>
  ) -> [(Int, Int)] {
    var steps: [(Int, Int)] = []
    if let one = recorded.first {
      for count in matches(one, actual) { steps.append((1, count)) }
    }
    if let one = actual.first {
      for count in matches(one, recorded) { steps.append((count, 1)) }
    }
    return steps
  }

  /// How many of the first pokes merge to `one`.
  private static func matches(
    _ one: Conversation.Contents, _ many: ArraySlice<Conversation.Contents>
  ) -> [Int] {
    var merged = Conversation.Contents()
    var counts: [Int] = []
    for (place, contents) in many.enumerated() {
      merged = merged.merged(with: contents)
      if merged == one { counts.append(place + 1) }
    }
    return counts
  }
}
