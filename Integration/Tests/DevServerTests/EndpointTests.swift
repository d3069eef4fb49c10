import Testing
import ZeroContracts
import ZeroDevServerHost
import ZeroProtocol
import ZeroWebSocketServer

@testable import ZeroDevServer

@MainActor @Suite("queries and mutations of an API server", .serialized) struct EndpointTests {
  let stub = StubAPIServer()
  let http: WebSocketServer
  let server: DevServer
  let scheduler = ManualScheduler()

  init() throws {
    http = try WebSocketServer(stub)
    let url = "http://127.0.0.1:\(http.port)/api"
    var endpoint = Endpoint(queryURL: "\(url)/query?x=1", mutateURL: "\(url)/mutate")
    endpoint.apiKey = "key"
    endpoint.allowedHeaders = ["x-trace"]
    let backend = EndpointBackend(endpoint, scheduler: scheduler)
    server = DevServer(
      schema: try DatabaseSchema(TestServer.schema), backend: backend, scheduler: scheduler)
    backend.server = server
    try server.load([("note", [["id": .string("n1"), "text": .string("one")]])])
  }

  private func connect(_ initialize: String) -> TestSocket {
    let socket = TestSocket()
    var request = TestServer.request(user: "ann", token: "secret", initialize: initialize)
    request.headers.append(("Origin", "https://app.example"))
    request.headers.append(("Cookie", "not passed on"))
    socket.connection = server.open(request, socket)
    return socket
  }

  static let noQueries = #"{"kind":"QueryResponse","queries":[],"userID":"ann"}"#
  static let notes =
    #"{"kind":"QueryResponse","userID":"ann","extra":1,"queries":["#
    + #"{"id":"q1","name":"notes","ast":{"table":"note"}}]}"#

  @Test("queries are asked for with zero-cache's parameters, headers and body")
  func transform() async {
    stub.prepare(200, Self.noQueries)
    stub.prepare(200, Self.notes)
    let client = connect(
      "desiredQueriesPatch:[{op:'put',hash:'q1',name:'notes',args:[{a:1}]}],"
        + "userQueryHeaders:{'X-Trace':'t','X-Other':'o'}")
    await client.wait(for: "to 02")
    #expect(client.log().contains(#"  put note {"id":"n1","text":"one","folder_id":null}"#))
    let requests = stub.requests
    #expect(
      requests.map(\.target)
        == Array(
          repeating: "/api/query?x=1&schema=zero_0&appID=zero", count: 2))
    #expect(requests[0].body.jsonString == #"["transform",[]]"#)
    #expect(
      requests[1].body.jsonString
        == #"["transform",[{"id":"q1","name":"notes","args":[{"a":1}]}]]"#)
    #expect(requests[1].header("authorization") == "Bearer secret")
    #expect(requests[1].header("x-api-key") == "key")
    #expect(requests[1].header("origin") == "https://app.example")
    #expect(requests[1].header("cookie") == nil)
    #expect(requests[1].header("x-trace") == "t")
    #expect(requests[1].header("x-other") == nil)
  }

  @Test("a refused query, another status and another user are passed on")
  func refusals() async {
    stub.prepare(200, Self.noQueries)
    stub.prepare(
      200,
      #"{"kind":"QueryResponse","userID":"ann","queries":[{"error":"parse","id":"q1","name":"notes","message":"bad"}]}"#
    )
    let put = "desiredQueriesPatch:[{op:'put',hash:'q1',name:'notes',args:[]}]"
    let refused = connect(put)
    await refused.wait(for: "transformError")
    #expect(
      refused.log().contains(
        #"transformError [{"error":"parse","id":"q1","name":"notes","message":"bad"}]"#))
  }

  @Test("a status of 401 ends the connection with what the API server said")
  func unauthorized() async {
    stub.prepare(401, #"{"error":"bad token"}"#)
    let client = connect("desiredQueriesPatch:[]")
    await client.wait(for: "closed")
    #expect(
      client.log().contains(
        "error TransformFailed http: Fetch from API server returned non-OK status 401"))
    #expect(stub.requests.count == 1)
  }

  @Test("an answer that is not understood, and one of another user")
  func unreadable() async {
    stub.prepare(200, #"{"kind":"QueryResponse"}"#)
    let client = connect("desiredQueriesPatch:[]")
    await client.wait(for: "closed")
    #expect(client.log().contains { $0.hasPrefix("error TransformFailed parse") })
    stub.prepare(200, #"{"kind":"QueryResponse","queries":[],"userID":null}"#)
    stub.prepare(200, #"{"kind":"QueryResponse","queries":[],"userID":null}"#)
    let other = connect("desiredQueriesPatch:[]")
    await other.wait(for: "closed")
  }

  @Test("pushes go out as they came, answers move the mutation IDs and keep errors")
  func mutate() async {
    stub.prepare(200, Self.noQueries)
    stub.prepare(
      200,
      #"{"kind":"MutateResponse","userID":"ann","mutations":[{"id":{"clientID":"c1","id":1},"result":{"error":"app","message":"no"}}]}"#
    )
    let client = connect("desiredQueriesPatch:[]")
    await client.wait(for: "to 00:01")
    client.push(1, "add", "id:'n2'")
    await client.wait(for: "lmid c1 1")
    #expect(
      client.log().contains(
        #"  result {"clientID":"c1","id":1} {"error":"app","message":"no"}"#))
    let request = stub.requests[1]
    #expect(request.target == "/api/mutate?schema=zero_0&appID=zero")
    guard case .object(let body) = request.body, case .array(let mutations)? = body["mutations"]
    else { return #expect(Bool(false)) }
    #expect(body["clientGroupID"] == .string("g1") && body["pushVersion"] == .number(1))
    #expect(mutations.count == 1)
    client.send("ackMutationResponses", "clientID:'c1',id:1")
    await client.wait(for: "result del")
  }

  @Test("a failure that the API server reports itself keeps its reason")
  func pushFailed() async {
    stub.prepare(200, Self.noQueries)
    stub.prepare(
      200,
      #"{"kind":"PushFailed","origin":"server","reason":"oooMutation","message":"gap","mutationIDs":[{"clientID":"c1","id":4}]}"#
    )
    let client = connect("desiredQueriesPatch:[]")
    await client.wait(for: "to 00:01")
    client.push(4, "add", "id:'n2'")
    await client.wait(for: "closed")
    #expect(client.log().contains("error PushFailed oooMutation: gap"))
  }

  @Test("a URL that is not allowed is not asked")
  func foreignURL() async {
    let client = connect("desiredQueriesPatch:[],userQueryURL:'http://elsewhere.example/q'")
    await client.wait(for: "closed")
    #expect(client.log().contains { $0.hasPrefix("error TransformFailed internal") })
    #expect(stub.requests.isEmpty)
  }

  @Test("a group that was put away keeps its rows when its client leaves before the answer")
  func leavesEarly() async throws {
    stub.prepare(200, Self.notes)
    let put = "desiredQueriesPatch:[{op:'put',hash:'q1',name:'notes',args:[]}]"
    let first = connect(put)
    await first.wait(for: "to 02")
    first.connection?.closed()
    scheduler.advance(by: .seconds(6))
    let second = connect(put)
    await second.wait(for: "connected")
    second.connection?.closed()
    let third = connect(put)
    await third.wait(for: "to 02")
    #expect(!third.log().contains { $0.contains("del note") })
  }
}
