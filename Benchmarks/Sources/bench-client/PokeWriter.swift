import ZeroProtocol

/// The server's side of a connection: makes the pokes to one client, each following the one before.
struct PokeWriter {
  /// The frames of a poke.
  struct Poke { let messages: [SocketMessage] }

  /// What a poke brings apart from rows.
  struct Extras {
    var lastMutationID: Int?
    /// A mutation of the client that the server's mutator threw out.
    var refusing: Int?
    /// Hashes of queries.
    var got: [String] = []
  }

  static let connected = #"["connected",{"wsid":"w"}]"#

  private let clientID: String
  private var cookie = 0

  init(clientID: String) { self.clientID = clientID }

  /// - Parameter puts: row operations, a hundred per part.
  mutating func poke(_ puts: [[UInt8]], _ extras: Extras = Extras()) -> Poke {
    let id = "p\(cookie)"
    let base = cookie == 0 ? "null" : "\"\(Self.name(cookie))\""
    cookie += 1
    let payload = payload(id, puts, extras)
    var messages: [SocketMessage] = [
      .text(Array("[\"pokeStart\",{\"pokeID\":\"\(id)\",\"baseCookie\":\(base)}]".utf8))
    ]
    var place = 0
    while place < payload.count {
      let end = min(payload.count, place + 1 << 20)
      messages.append(.binary([0] + payload[place..<end]))
      place = end
    }
    messages.append(
      .text(Array("[\"pokeEnd\",{\"pokeID\":\"\(id)\",\"cookie\":\"\(Self.name(cookie))\"}]".utf8)))
    return Poke(messages: messages)
  }

  /// The bodies of a poke's parts, a hundred row operations each.
  static func parts(_ id: String, _ puts: [[UInt8]]) -> [[UInt8]] {
    stride(from: 0, to: puts.count, by: 100).map { start in
      var part = Array("{\"pokeID\":\"\(id)\",\"rowsPatch\":[".utf8)
      append(puts[start..<min(puts.count, start + 100)], to: &part)
      part += "]}".utf8
      return part
    }
  }

  // MARK: -

  private func payload(_ id: String, _ puts: [[UInt8]], _ extras: Extras) -> [UInt8] {
    var payload: [UInt8] = Array("[".utf8)
    payload.reserveCapacity(puts.reduce(1 << 10) { $0 + $1.count + 2 })
    var start = 0
    repeat {
      if start > 0 { payload.append(UInt8(ascii: ",")) }
      payload += "{\"pokeID\":\"\(id)\"".utf8
      if start == 0, let last = extras.lastMutationID {
        payload += ",\"lastMutationIDChanges\":{\"\(clientID)\":\(last)}".utf8
      }
      if start == 0, let refusing = extras.refusing {
        let id = "{\"clientID\":\"\(clientID)\",\"id\":\(refusing)}"
        let result = "{\"error\":\"app\",\"message\":\"not allowed\"}"
        payload +=
          ",\"mutationsPatch\":[{\"op\":\"put\",\"mutation\":{\"id\":\(id),\"result\":\(result)}}]"
          .utf8
      }
      let end = min(puts.count, start + 100)
      payload += ",\"rowsPatch\":[".utf8
      Self.append(puts[start..<end], to: &payload)
      payload += "]".utf8
      if end == puts.count, !extras.got.isEmpty {
        let got = extras.got.map { "{\"op\":\"put\",\"hash\":\"\($0)\"}" }
        payload += ",\"gotQueriesPatch\":[\(got.joined(separator: ","))]".utf8
      }
      payload += "}".utf8
      start = end
    } while start < puts.count
    payload += "]".utf8
    return payload
  }

  private static func append(_ puts: ArraySlice<[UInt8]>, to text: inout [UInt8]) {
    for (place, put) in puts.enumerated() {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      text += put
    }
  }

  /// Cookies in ascending order.
  private static func name(_ cookie: Int) -> String {
    let text = String(cookie, radix: 36)
    return "\(UnicodeScalar(UInt8(ascii: "a") + UInt8(text.count)))\(text)"
  }
}
