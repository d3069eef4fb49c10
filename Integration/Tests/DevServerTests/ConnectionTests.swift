import Testing
import ZeroContracts
import ZeroProtocol

@testable import ZeroDevServer

@MainActor @Suite("connections") struct ConnectionTests {
  let test: TestServer

  init() throws { test = try TestServer() }

  @Test("versions outside the supported range are refused before connected")
  func versions() {
    #expect(
      test.connect(version: 53).log() == [
        "error VersionNotSupported: server is at sync protocol v52 and does not support v53. "
          + "The server must be updated to a newer release.", "closed without code",
      ])
    #expect(test.connect(version: 29).log()[0].contains("The client must be updated"))
    #expect(test.connect(version: 30).log().first == "connected w-c1")
  }

  @Test("protocol 51 gets text parts")
  func textPokes() {
    let client = test.connect(
      version: 51, initialize: "desiredQueriesPatch:[{op:'put',hash:'q1',name:'notes',args:[]}]")
    #expect(client.log().contains("  got put q1"))
    for case .binary in client.frames { Issue.record("a binary frame for protocol 51") }
  }

  @Test(
    "requests that are not understood are closed with 1002 and a reason",
    arguments: [
      ("/sync/v52/connect?clientGroupID=g&ts=1&lmid=0", "missing clientID"),
      ("/sync/v52/connect?clientID=c&ts=1&lmid=0", "missing clientGroupID"),
      ("/sync/v52/connect?clientID=c&clientGroupID=g&lmid=0", "missing ts"),
      ("/sync/v52/connect?clientID=c&clientGroupID=g&ts=1&lmid=x", "parameter lmid, got: x"),
      ("/hello?clientID=c", "Invalid URL: /hello?clientID=c"),
      ("/sync/vx/connect?clientID=c&clientGroupID=g&ts=1&lmid=0", "Invalid URL"),
      ("/sync/v52/connect?clientID=c&clientGroupID=g&ts=1&lmid=0", "Unexpected undefined value"),
    ])
  func badRequests(target: String, reason: String) {
    let socket = TestSocket()
    socket.connection = test.server.open(UpgradeRequest(target: target, headers: []), socket)
    let log = socket.log()
    #expect(log.count == 1)
    #expect(log[0].hasPrefix("closed 1002: Error: ") && log[0].contains(reason))
    #expect(log[0].utf8.count <= "closed 1002: ".utf8.count + 123)
  }

  @Test("a subprotocol that does not decode is closed with 1002")
  func badSubprotocol() {
    let socket = TestSocket()
    let request = UpgradeRequest(
      target: "/sync/v52/connect?clientID=c&clientGroupID=g&ts=1&lmid=0",
      headers: [("sec-websocket-protocol", "%zz")])
    socket.connection = test.server.open(request, socket)
    #expect(socket.log() == ["closed 1002: Error: URI malformed"])
  }

  @Test("a token needs a user, a user its token, and the right one")
  func users() {
    #expect(
      test.connect(token: "t-ann").log() == [
        "error Unauthorized: Authenticated connections require a userID.",
        "closed 3000: Authenticated connections require a userID.",
      ])
    let mismatch = [
      "connected w-c1",
      "error Unauthorized: Connection userID does not match validated server userID.",
      "closed without code",
    ]
    #expect(test.connect(user: "ann").log() == mismatch)
    #expect(test.connect(user: "ann", token: "t-bob").log() == mismatch)
    #expect(
      test.connect(user: "ann", token: "wrong").log() == [
        "connected w-c1",
        "error TransformFailed http: Fetch from API server returned non-OK status 401",
        "closed without code",
      ])
    #expect(test.connect(user: "ann", token: "t-ann").log().last == "to 00:01")
  }

  @Test("a group stays with its user")
  func pinned() {
    test.connect(user: "ann", token: "t-ann")
    let other = test.connect("c2", user: "bob", token: "t-bob").log()
    #expect(other.count == 2)
    #expect(other[0].hasPrefix("error Unauthorized"))
    #expect(other[1].hasPrefix("closed 3000"))
  }

  @Test("a new token is checked, an empty one and a wrong one end the connection")
  func updateAuth() {
    let client = test.connect(user: "ann", token: "t-ann")
    _ = client.log()
    client.send("updateAuth", "auth:'t-ann'")
    #expect(client.log() == [])
    client.send("updateAuth", "auth:'t-bob'")
    #expect(client.log().first?.hasPrefix("error Unauthorized") == true)
    let second = test.connect(cookie: "00:01", user: "ann", token: "t-ann", withSchema: false)
    _ = second.log()
    second.send("updateAuth", "auth:''")
    #expect(second.log().first?.hasPrefix("error Unauthorized") == true)
  }

  @Test("cookies of an unknown group, of the future and malformed ones are told apart")
  func cookies() {
    #expect(
      test.connect(group: "new", cookie: "4abcde", withSchema: false).log() == [
        "connected w-c1", "error ClientNotFound: Client not found", "closed without code",
      ])
    test.connect(initialize: "desiredQueriesPatch:[{op:'put',hash:'q1',name:'notes',args:[]}]")
    #expect(
      test.connect(cookie: "5zzzzzz", withSchema: false).log().dropFirst() == [
        "error InvalidConnectionRequestBaseCookie: CVR is at version 02", "closed without code",
      ])
    #expect(
      test.connect(cookie: "!!", withSchema: false).log().dropFirst() == [
        "error Internal: Invalid LexiVersion: !!", "closed without code",
      ])
    let older = test.connect(cookie: "00:0z", withSchema: false).log()
    #expect(older[1] == "poke from 00:0z")
    #expect(older.contains("  got put q1"))
  }

  @Test("a new group needs a schema, which stays the same and fits the database")
  func schemas() {
    #expect(
      test.connect(withSchema: false).log().dropFirst() == [
        "error InvalidConnectionRequest: The initConnection message for a new client group must "
          + "include client schema.", "closed without code",
      ])
    let nope = """
      desiredQueriesPatch:[],clientSchema:{tables:{note:{columns:{id:{type:'string'},\
      nope:{type:'string'},text:{type:'number'}},primaryKey:['id']}}}
      """
    #expect(
      test.connect(group: "g3", initialize: nope, withSchema: false).log() == [
        "connected w-c1", "poke from null",
        "error SchemaVersionNotSupported: The \"note\".\"nope\" column does not exist or is not "
          + "one of the replicated columns: \"folder_id\",\"id\",\"text\".\n"
          + "The \"note\".\"text\" column's upstream type \"string\" does not match the client "
          + "type \"number\"", "closed without code",
      ])
    test.connect()
    #expect(
      test.connect("c2", initialize: nope, withSchema: false).log().dropFirst() == [
        "error InvalidConnectionRequest: Provided schema does not match previous schema",
        "closed without code",
      ])
  }

  @Test("messages are checked strictly")
  func strictMessages() {
    for (type, body) in [
      ("hello", ""), ("changeDesiredQueries", ""),
      ("changeDesiredQueries", "desiredQueriesPatch:[],extra:1"), ("ping", "extra:1"),
    ] {
      let client = test.connect()
      _ = client.log()
      client.send(type, body)
      let log = client.log()
      #expect(log.count == 2, "\(type) \(body)")
      #expect(log.first?.hasPrefix("error InvalidMessage") == true, "\(type) \(body)")
    }
    let client = test.connect()
    _ = client.log()
    client.connection?.receive(.text(Array("not json".utf8)))
    #expect(client.log().first?.hasPrefix("error InvalidMessage") == true)
  }

  @Test("a second initConnection ends the connection; one that comes late is fine")
  func initialization() {
    let late = test.connect("c2", group: "g2", initialize: nil)
    #expect(late.log() == ["connected w-c2"])
    late.send("changeDesiredQueries", "desiredQueriesPatch:[{op:'del',hash:'x'}]")
    #expect(late.log() == [])
    let schema = TestServer.schema.clientSchema.jsonValue.jsonString
      .replacing("\"", with: "'")
    late.send("initConnection", "desiredQueriesPatch:[],clientSchema:\(schema)")
    #expect(late.log() == ["poke from null", "to 00:01"])
    late.send("initConnection", "desiredQueriesPatch:[]")
    #expect(
      late.log() == ["error Internal: Connection was already initialized", "closed without code"])
  }

  @Test("ping is answered, silence is broken, pull is not answered")
  func life() {
    let client = test.connect()
    _ = client.log()
    client.send("ping")
    #expect(client.log() == ["pong {}"])
    client.connection?.receive(.binary(Array(#"["ping",{}]"#.utf8)))
    #expect(client.log() == ["pong {}"])
    client.send("pull", "clientGroupID:'g1',cookie:null,requestID:'p'")
    #expect(client.log() == [])
    test.scheduler.advance(by: .seconds(10))
    #expect(client.log() == ["pong {}"])
    client.send("inspect", "op:'version',id:'x1'")
    #expect(client.log() == [#"inspect {"op":"version","id":"x1","value":"1.10.0"}"#])
  }

  @Test("a client that is left out of the active ones loses its queries")
  func activeClients() {
    let first = test.connect(
      initialize: "desiredQueriesPatch:[{op:'put',hash:'q1',name:'notes',args:[]}]")
    _ = first.log()
    let second = test.connect("c2", initialize: "desiredQueriesPatch:[],activeClients:['c2']")
    #expect(first.log() == ["poke from 02", "  desired c1 del q1", "to 02:01"])
    #expect(second.log().contains("  desired c1 del q1"))
  }
}
