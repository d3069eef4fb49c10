@_spi(Engine) import ZeroProtocol

/// What the application did in a recorded flow, and when, as far as the client's messages and the
/// views tell.
struct TranscriptPlan {
  struct Action {
    enum Kind {
      /// Asks for a query. With a label it is a view, otherwise a preload.
      case register(Query, label: String?)
      case release(hash: String)
      case mutate(name: String, args: JSONValue)
      case renew(token: String)
    }
    var time: Double
    let client: String
    var kind: Kind
  }

  struct Query {
    let hash: String
    let name: String
    let args: [JSONValue]
    let ttl: Double
  }

  private(set) var actions: [Action] = []
  /// Queries that were asked for before the first connection, by client.
  private(set) var initial: [String: [Action]] = [:]
  /// The tokens in the headers, by client, in order of time.
  private(set) var tokens: [String: [(time: Double, token: String)]] = [:]

  init(_ events: [VectorCase]) throws {
    for event in events {
      let time = try event.number("t")
      switch try event.string("type") {
      case "connect": try readConnect(event, time)
      case "send":
        guard let client = clients[try event.int("conn")], event.has("text") else { continue }
        let message = try JSONValue(parsing: Array(try event.string("text").utf8))
        try readMessage(message, client, at: time, isInFirstHeader: false)
      case "client": try readClient(event, time)
      default: break
      }
    }
    try placeRegistrations()
    // Keeps the order of what happened at one time.
    actions = actions.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    .map(\.element)
  }

  // MARK: -

  /// A query that appeared in a message.
  private struct Put {
    let query: Query
    let client: String
    let time: Double
    let isInFirstHeader: Bool
    var isPlaced = false
  }

  /// How long the client collects changes of queries before it sends them.
  private static let throttle = 10.0

  private var clients: [Int: String] = [:]
  private var creationTimes: [String: Double] = [:]
  private var puts: [Put] = []
  private var labels: [(client: String, label: String, time: Double)] = []
  private var desired: [String: Set<String>] = [:]
  private var lastMutations: [String: (id: Double, time: Double)] = [:]

  private mutating func readConnect(_ event: VectorCase, _ time: Double) throws {
    let client = try event.string("client")
    clients[try event.int("conn")] = client
    guard case .object(let header)? = event.object["decodedProtocol"] else { return }
    if case .string(let token)? = header["authToken"] {
      tokens[client, default: []].append((time, token))
    }
    guard let message = header["initConnectionMessage"] else { return }
    let isFirst = desired[client] == nil
    desired[client, default: []].formUnion([])
    try readMessage(message, client, at: time, isInFirstHeader: isFirst)
  }

  private mutating func readClient(_ event: VectorCase, _ time: Double) throws {
    let (client, what) = (try event.string("client"), try event.string("what"))
    if what == "created" { creationTimes[client] = time }
    guard let label = TranscriptView.label(what) else { return }
    if !labels.contains(where: { $0.client == client && $0.label == label }) {
      labels.append((client, label, time))
    }
  }

  private mutating func readMessage(
    _ message: JSONValue, _ client: String, at time: Double, isInFirstHeader: Bool
  ) throws {
    guard case .array(let parts) = message, parts.count == 2, case .string(let kind) = parts[0]
    else {
      throw VectorFailure("message \(message.jsonString) is not understood")
    }
    switch kind {
    case "initConnection", "changeDesiredQueries":
      for json in try Fields(parts[1]).array("desiredQueriesPatch") {
        let op = try Fields(json)
        let hash = try op.string("hash")
        if try op.string("op") == "put" {
          guard desired[client, default: []].insert(hash).inserted else { continue }
          let query = Query(
            hash: hash, name: try op.string("name"), args: try op.array("args"),
            ttl: try op.optionalNumber("ttl") ?? -1)
          puts.append(
            Put(query: query, client: client, time: time, isInFirstHeader: isInFirstHeader))
        } else {
          desired[client, default: []].remove(hash)
          actions.append(
            Action(time: time - Self.throttle, client: client, kind: .release(hash: hash)))
        }
      }
    case "push": try readPush(try Fields(parts[1]), client, at: time)
    case "updateAuth":
      let token = try Fields(parts[1]).string("auth")
      actions.append(Action(time: time, client: client, kind: .renew(token: token)))
    default: break
    }
  }

  /// A mutation was called when its own timestamp says, which can be long before it was sent.
  private mutating func readPush(_ push: Fields, _ client: String, at time: Double) throws {
    for json in try push.array("mutations") {
      let mutation = try Fields(json)
      let id = try mutation.number("id")
      let last = lastMutations[client] ?? (0, 0)
      guard id > last.id else { continue }
      let age = try push.number("timestamp") - mutation.number("timestamp")
      let called = min(time, max(last.time, time - age))
      lastMutations[client] = (id, called)
      guard let args = try mutation.array("args").first else {
        throw VectorFailure("mutation \(id) has no arguments")
      }
      actions.append(
        Action(
          time: called, client: client,
          kind: .mutate(name: try mutation.string("name"), args: args)))
    }
  }

  /// Gives each view the first query that was sent after the view was there.
  private mutating func placeRegistrations() throws {
    for (client, label, time) in labels {
      func fits(_ put: Put) -> Bool {
        put.client == client && TranscriptView.fits(label, query: put.query.name)
      }
      if let place = puts.firstIndex(where: { fits($0) && !$0.isPlaced && $0.time >= time }) {
        puts[place].isPlaced = true
        add(puts[place], label, at: time)
      } else if let put = puts.last(where: { fits($0) && $0.time < time }) {
        actions.append(Action(time: time, client: client, kind: .register(put.query, label: label)))
      } else {
        throw VectorFailure("no query was sent for view \(label) of \(client)")
      }
    }
    for put in puts where !put.isPlaced { add(put, nil, at: put.time - Self.throttle) }
  }

  private mutating func add(_ put: Put, _ label: String?, at time: Double) {
    var action = Action(time: time, client: put.client, kind: .register(put.query, label: label))
    if put.isInFirstHeader {
      action.time = creationTimes[put.client] ?? time
      initial[put.client, default: []].append(action)
    } else {
      actions.append(action)
    }
  }
}
