import Testing

@_spi(Engine) @testable import ZeroProtocol

@Suite struct ConnectRequestTests {
  private let url = ConnectURL(
    origin: "ws://h/",
    .init(
      clientID: "c", clientGroupID: "g", timestamp: 1, lastMutationID: 0, wsid: "w",
      profileID: "p"))
  private let message = InitConnection(
    desiredQueriesPatch: [], deleted: DeleteClients(clientIDs: ["d"]), activeClients: ["c"])

  @Test("the first message travels in the header up to the limit, and not one character more")
  func sizeRule() throws {
    let full = ConnectRequest(url: url, initConnection: message, auth: "tök")
    #expect(full.carriesInitConnection)
    #expect(full.deletedLeftToSend == nil)
    let length = full.subprotocol.utf8.count
    let fits = ConnectRequest(
      url: url, initConnection: message, auth: "tök", maxHeaderLength: length)
    #expect(fits == full)
    let short = ConnectRequest(
      url: url, initConnection: message, auth: "tök", maxHeaderLength: length - 1)
    #expect(!short.carriesInitConnection)
    #expect(!short.isTooLong)
    #expect(short.deletedLeftToSend == DeleteClients(clientIDs: ["d"]))
    #expect(short.subprotocol == "eyJhdXRoVG9rZW4iOiJ0w7ZrIn0%3D")
  }

  @Test("a token longer than the limit is sent all the same, and said to be too long")
  func tooLong() {
    let request = ConnectRequest(
      url: url, initConnection: message, auth: "tök", maxHeaderLength: 10)
    #expect(request.isTooLong)
    #expect(request.subprotocol == "eyJhdXRoVG9rZW4iOiJ0w7ZrIn0%3D")
  }

  @Test("without token and message the header still says something", arguments: [nil, ""])
  func emptyToken(auth: String?) {
    let request = ConnectRequest(
      url: url, initConnection: message, auth: auth, maxHeaderLength: 6)
    #expect(request.subprotocol == "e30%3D")
  }

  @Test("the message in the header is the one that would be sent")
  func messageInHeader() throws {
    let request = ConnectRequest(url: url, initConnection: message, auth: nil)
    let token = try SocketProtocolToken(header: request.subprotocol)
    #expect(token.authToken == nil)
    let json = try #require(token.initConnectionMessage)
    #expect(try UpstreamMessage(json: json) == .initConnection(message))
  }

  @Test(
    "a header that is no token is refused",
    arguments: ["", "%", "%4", "%FF", "!!!!", "e", "e2F9", "bnVsbA%3D%3D", "eyJhdXRoVG9rZW4iOjF9"])
  func badHeader(header: String) {
    #expect(throws: JSONError.self) { try SocketProtocolToken(header: header) }
  }

  @Test("bytes go through base64 unchanged", arguments: 0...70)
  func base64(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 41 &+ 200) }
    let text = Base64.encode(bytes)
    #expect(text.utf8.count == (count + 2) / 3 * 4)
    #expect(Base64.decode(Array(text.utf8)) == bytes)
    #expect(Base64.decode(Array(text.utf8.filter { $0 != UInt8(ascii: "=") })) == bytes)
  }

  @Test("deletions of other groups are not this connection's business")
  func deletedClients() {
    let clients = [
      DeletedClient(clientGroupID: "g", clientID: "a"),
      DeletedClient(clientGroupID: "other", clientID: "b"),
      DeletedClient(clientGroupID: "g", clientID: ""),
    ]
    #expect(DeleteClients(clients, of: "g") == DeleteClients(clientIDs: ["a"]))
    #expect(DeleteClients(clients, of: "none") == nil)
  }

  @Test("names that the client sets are not taken from the server")
  func extraParameters() {
    let url = ConnectURL(
      origin: "wss://h",
      .init(
        clientID: "a b", clientGroupID: "g", timestamp: 1.5, lastMutationID: 2, wsid: "w",
        profileID: "p", extra: ["wsid": "x", "userID": "é", "k": "*-._~"]))
    #expect(
      url.string == "wss://h/sync/v52/connect?clientID=a+b&clientGroupID=g&baseCookie=&ts=1.5"
        + "&lmid=2&wsid=w&profileID=p&userID=%C3%A9&k=*-._%7E")
    #expect(url.skippedParameters == ["wsid"])
  }
}
