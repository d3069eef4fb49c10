import ZeroContracts
@_spi(Engine) import ZeroProtocol
import ZeroVectors

/// The server of a client that is killed again and again: rows that only grow, mutations in order and
/// each once. It outlives the clients.
struct LineServer {
  /// Rows in order of the versions that brought them.
  private(set) var rows: [String] = []
  /// Mutations that a client said were stored.
  private(set) var stored: [String] = []
  /// The number of connections that a client made.
  private(set) var connections = 0

  private var known: Set<String> = []
  private var lastMutationIDs: [String: Double] = [:]
  private var cookie = ""
  private var pokes = 0

  /// Takes a line that the client said.
  /// - Returns: what is to be sent to it.
  /// - Throws: ``VectorFailure`` for what a client must not do.
  mutating func hear(_ line: String) throws -> [String] {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch words[0] {
    case "stored" where words.count == 2:
      stored.append(words[1])
      return []
    case "open" where words.count == 3: return try open(url: words[1], header: words[2])
    case "send": return try receive(Array(line.utf8.dropFirst("send ".utf8.count)))
    default: throw VectorFailure(line)
    }
  }

  // MARK: -

  private mutating func open(url: String, header: String) throws -> [String] {
    connections += 1
    cookie =
      url.split(separator: "&").first { $0.hasPrefix("baseCookie=") }
      .map { String($0.dropFirst("baseCookie=".count)) } ?? ""
    guard version(cookie) <= rows.count else {
      throw VectorFailure("cookie \(cookie) was never given")
    }
    let token = try SocketProtocolToken(header: header)
    var lines = ["accept", #"recv ["connected",{"wsid":"w"}]"#]
    if let message = token.initConnectionMessage {
      lines += try receive(message.jsonText)
    } else {
      lines += poke("")
    }
    return lines
  }

  private mutating func receive(_ text: [UInt8]) throws -> [String] {
    switch try UpstreamMessage(text: text) {
    case .push(let push):
      for mutation in push.mutations { try apply(mutation) }
      return poke("")
    case .ping: return [#"recv ["pong",{}]"#]
    default:
      guard case .array(let parts) = try JSONValue(parsing: text), parts.count == 2,
        case .object(let body) = parts[1], case .array(let patch)? = body["desiredQueriesPatch"]
      else { return [] }
      let got = patch.compactMap { op -> JSONValue? in
        guard case .object(let op) = op, let hash = op["hash"], op["op"] == .string("put") else {
          return nil
        }
        return .object(["op": .string("put"), "hash": hash])
      }
      return poke(#""gotQueriesPatch":\#(JSONValue.array(got).jsonString),"#)
    }
  }

  private mutating func apply(_ mutation: MutationMessage) throws {
    guard case .custom(_, let args) = mutation.content, case .object(let row)? = args.first,
      case .string(let key)? = row["id"]
    else { throw VectorFailure("a mutation that is not understood") }
    let (client, id) = (mutation.id.clientID, mutation.id.id)
    let last = lastMutationIDs[client] ?? 0
    // Sent again, since the client cannot know that it arrived.
    if id <= last { return }
    guard id == last + 1 else {
      throw VectorFailure("mutation \(id) of \(client) came after \(last): one is lost")
    }
    guard known.insert(key).inserted else { throw VectorFailure("\(key) came twice") }
    lastMutationIDs[client] = id
    rows.append(key)
  }

  /// All that is new since the client's cookie.
  private mutating func poke(_ patch: String) -> [String] {
    pokes += 1
    let puts = rows[version(cookie)...].map {
      #"{"op":"put","tableName":"entry","value":{"id":"\#($0)"}}"#
    }.joined(separator: ",")
    let ids = JSONValue.object(
      JSONObject(lastMutationIDs.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) }))
    let base = cookie.isEmpty ? "null" : "\"\(cookie)\""
    // A cookie is larger than every earlier one as a text, and says how many rows it stands for.
    let next = Self.padded(rows.count) + "." + Self.padded(pokes)
    cookie = next
    return [
      #"recv ["pokeStart",{"pokeID":"\#(next)","baseCookie":\#(base)}]"#,
      #"recv ["pokePart",{"pokeID":"\#(next)",\#(patch)"#
        + #""lastMutationIDChanges":\#(ids.jsonString),"rowsPatch":[\#(puts)]}]"#,
      #"recv ["pokeEnd",{"pokeID":"\#(next)","cookie":"\#(next)"}]"#,
    ]
  }

  private func version(_ cookie: String) -> Int {
    cookie.split(separator: ".").first.flatMap { Int($0) } ?? 0
  }

  private static func padded(_ number: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, 8 - text.utf8.count)) + text
  }
}
