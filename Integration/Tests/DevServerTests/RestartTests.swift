import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreMemory

@testable import ZeroDevServer

@MainActor @Suite("a server that keeps what it has") struct RestartTests {
  let provider = MemoryStoreProvider()

  static let folder = "desiredQueriesPatch:[{op:'put',hash:'q2',name:'inFolder',args:['f1']}]"

  @Test("a client does not notice a restart")
  func unnoticed() throws {
    let first = try TestServer(keptIn: provider)
    let client = first.connect(user: "ann", token: "t-ann", initialize: Self.folder)
    client.push(1, "add", "id:'n3',text:'three',folderId:'f1'")
    #expect(client.log().last == "to 03")
    first.server.shutDown()
    let second = try TestServer(keptIn: provider)
    let again = second.connect(cookie: "03", user: "ann", token: "t-ann", withSchema: false)
    #expect(again.log() == ["connected w-c1", "poke from 03", "to 03"])
    again.push(1, "add", "id:'n4',text:'twice'")
    #expect(again.log() == [])
    again.push(2, "remove", "id:'n3'")
    #expect(
      again.log() == ["poke from 03", "  lmid c1 2", #"  del note {"id":"n3"}"#, "to 04"])
  }

  @Test("what happened to rows, queries and results before the restart is caught up")
  func catchUp() throws {
    let first = try TestServer(keptIn: provider)
    let client = first.connect(initialize: Self.folder)
    #expect(client.log().last == "to 02")
    client.send(
      "changeDesiredQueries", "desiredQueriesPatch:[{op:'put',hash:'q1',name:'notes',args:[]}]")
    client.push(1, "addThenThrow", "id:'n3',text:'three'")
    client.push(2, "remove", "id:'n1'")
    client.send("changeDesiredQueries", "desiredQueriesPatch:[{op:'del',hash:'q2'}]")
    first.server.shutDown()
    let second = try TestServer(keptIn: provider)
    let again = second.connect(cookie: "02", withSchema: false)
    #expect(
      again.log() == [
        "connected w-c1", "poke from 02", "  lmid c1 2",
        #"  result {"clientID":"c1","id":1} {"error":"app","message":"changed my mind"}"#,
        "  desired c1 del q2", "  desired c1 put q1", "  got put q1",
        #"  del note {"id":"n1"}"#, #"  put note {"id":"n2","text":"two","folder_id":"f2"}"#,
        "to 04:01",
      ])
  }

  @Test("the owner, a purge and the time of unwanted queries are kept")
  func ownerPurgeAndClock() throws {
    let first = try TestServer(keptIn: provider)
    first.connect(user: "ann", token: "t-ann")
    let other = first.connect(
      group: "g2",
      initialize: "desiredQueriesPatch:[{op:'put',hash:'q1',name:'notes',args:[],ttl:3000}]")
    other.send("changeDesiredQueries", "desiredQueriesPatch:[{op:'del',hash:'q1'}]")
    first.scheduler.advance(by: .seconds(2))
    other.connection?.closed()
    _ = first.server.control(TestServer.json("do:'forgetGroup',group:'g3'"))
    first.connect(group: "g3")
    _ = first.server.control(TestServer.json("do:'forgetGroup',group:'g3'"))
    first.server.shutDown()
    let second = try TestServer(keptIn: provider)
    #expect(second.connect("c5", user: "bob", token: "t-bob").log()[0].contains("Unauthorized"))
    #expect(second.connect(group: "g3").log().contains("error ClientNotFound: Client not found"))
    let again = second.connect(group: "g2", cookie: "02:01", withSchema: false)
    #expect(again.log().last == "to 02:01")
    second.scheduler.advance(by: .milliseconds(900))
    #expect(again.log() == [])
    second.scheduler.advance(by: .milliseconds(200))
    #expect(again.log().contains("  got del q1"))
  }
}
