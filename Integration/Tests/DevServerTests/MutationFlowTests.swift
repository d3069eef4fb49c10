import Testing
import ZeroContracts
import ZeroProtocol

@testable import ZeroDevServer

@MainActor @Suite("mutations of a client group") struct MutationFlowTests {
  let test: TestServer
  let client: TestSocket

  init() throws {
    test = try TestServer()
    client = test.connect(
      initialize: "desiredQueriesPatch:[{op:'put',hash:'q2',name:'inFolder',args:['f1']}]")
    _ = client.log()
  }

  @Test("the rows of a mutation and its ID come in one poke")
  func success() {
    client.push(1, "add", "id:'n3',text:'three',folderId:'f1'")
    #expect(
      client.log() == [
        "poke from 02", "  lmid c1 1",
        #"  put note {"id":"n3","text":"three","folder_id":"f1"}"#, "to 03",
      ])
  }

  @Test("a mutation whose rows nobody sees still confirms its ID")
  func invisible() {
    client.push(1, "add", "id:'n3',text:'three',folderId:'f2'")
    #expect(client.log() == ["poke from 02", "  lmid c1 1", "to 03"])
  }

  @Test("a mutator that throws leaves no rows, a result and an advanced ID")
  func applicationError() {
    client.push(1, "addThenThrow", "id:'n3',text:'three',folderId:'f1'")
    let result = #"{"error":"app","message":"changed my mind","details":null}"#
    let id = #"{"clientID":"c1","id":1}"#
    #expect(
      client.log() == [
        "poke from 02", "  lmid c1 1",
        "  result \(id) " + result.replacing(#","details":null"#, with: ""), "to 03",
      ])
    client.send("ackMutationResponses", "clientID:'c1',id:1")
    #expect(client.log() == ["poke from 03", "  result del \(id)", "to 04"])
    client.send("ackMutationResponses", "clientID:'c1',id:1")
    #expect(client.log() == [])
  }

  @Test("a violated constraint is an application error in the words of a database")
  func constraint() {
    client.push(1, "add", "id:'n3',text:'three',folderId:'nowhere'")
    let log = client.log()
    #expect(log.contains { $0.contains("violates foreign key constraint") })
    #expect(log.contains { $0.contains("PostgresError") })
    client.push(2, "add", "id:'n1',text:'again'")
    #expect(client.log().contains { $0.contains(#"unique constraint \"note_pkey\""#) })
  }

  @Test("a mutation that was processed has no effect and no answer")
  func repeated() {
    client.push(1, "add", "id:'n3',text:'three',folderId:'f1'")
    _ = client.log()
    client.push(1, "add", "id:'n4',text:'four',folderId:'f1'")
    #expect(client.log() == [])
  }

  @Test("a gap in the IDs ends the connection and applies nothing")
  func gap() {
    client.push(5, "add", "id:'n3',text:'three',folderId:'f1'")
    #expect(
      client.log() == [
        "error PushFailed oooMutation: Client c1 sent mutation ID 5 but expected 1",
        "closed without code",
      ])
    let again = test.connect(cookie: "02", withSchema: false)
    again.push(1, "add", "id:'n3',text:'three',folderId:'f1'")
    #expect(again.log().contains("  lmid c1 1"))
  }

  @Test("an unknown mutator is an application error")
  func unknownMutator() {
    client.push(1, "nowhere", "")
    #expect(client.log().contains { $0.contains("Mutator not found: nowhere") })
  }

  @Test("a push for another group or of another version is refused")
  func wrongPush() {
    client.send(
      "push", "timestamp:1,clientGroupID:'g2',pushVersion:1,requestID:'r',mutations:[]")
    #expect(
      client.log() == [
        "error InvalidPush: clientGroupID in mutation \"g2\" does not match clientGroupID of "
          + "connection \"g1", "closed without code",
      ])
    let again = test.connect(cookie: "02", withSchema: false)
    _ = again.log()
    again.send(
      "push",
      "timestamp:1,clientGroupID:'g1',pushVersion:2,requestID:'r',mutations:[{type:'custom',"
        + "timestamp:1,id:1,clientID:'c1',name:'add',args:[null]}]")
    #expect(
      again.log() == [
        "error PushFailed unsupportedPushVersion: Unsupported push version: 2",
        "closed without code",
      ])
  }

  @Test("mutations of before the first query come with the rows that they made")
  func beforeInitialization() {
    let late = test.connect("c9", group: "g1", initialize: nil)
    late.push(1, "add", "id:'n3',text:'three',folderId:'f1'", client: "c9")
    #expect(late.log() == ["connected w-c9"])
    #expect(client.log().contains("  lmid c9 1"))
  }

  @Test("a second client of the group hears of the first one's mutations")
  func secondClient() {
    let second = test.connect(
      "c2", initialize: "desiredQueriesPatch:[],activeClients:['c1','c2']")
    #expect(
      second.log() == [
        "connected w-c2", "poke from null", "  desired c1 put q2", "  got put q2",
        #"  put note {"id":"n1","text":"one","folder_id":"f1"}"#, "to 02:01",
      ])
    _ = client.log()
    second.push(1, "remove", "id:'n1'", client: "c2")
    let expected = [
      "poke from 02:01", "  lmid c2 1", #"  del note {"id":"n1"}"#, "to 03",
    ]
    #expect(second.log() == expected)
    #expect(client.log() == expected)
  }

  @Test("a client that was away gets what it missed in one poke")
  func catchUp() {
    client.connection?.closed()
    let other = test.connect("c2", group: "g2")
    other.send(
      "push",
      "timestamp:1,clientGroupID:'g2',pushVersion:1,requestID:'r',mutations:[{type:'custom',"
        + "timestamp:1,id:1,clientID:'c2',name:'remove',args:[{id:'n1'}]},{type:'custom',"
        + "timestamp:1,id:2,clientID:'c2',name:'add',args:[{id:'n5',text:'5',folderId:'f1'}]}]")
    let again = test.connect(cookie: "02", withSchema: false)
    #expect(
      again.log() == [
        "connected w-c1", "poke from 02", #"  del note {"id":"n1"}"#,
        #"  put note {"id":"n5","text":"5","folder_id":"f1"}"#, "to 04",
      ])
  }

  @Test("a group that was put away catches up when its client returns")
  func unloaded() throws {
    client.connection?.closed()
    test.scheduler.advance(by: .seconds(6))
    try test.server.write { transaction in
      let note = try transaction.database.schema.table("note")
      try transaction.delete(note, ["id": "n1".json], names: .server)
      try transaction.insert(
        note, ["id": "n6".json, "text": "six".json, "folder_id": "f1".json], names: .server)
    }
    let again = test.connect(cookie: "02", withSchema: false)
    #expect(
      again.log() == [
        "connected w-c1", "poke from 02", #"  del note {"id":"n1"}"#,
        #"  put note {"id":"n6","text":"six","folder_id":"f1"}"#, "to 03",
      ])
  }

  @Test("deleted clients lose their queries and are confirmed")
  func deleteClients() {
    let second = test.connect(
      "c2",
      initialize: "desiredQueriesPatch:[{op:'put',hash:'q1',name:'notes',args:[]}],"
        + "activeClients:['c1','c2']")
    second.connection?.closed()
    _ = client.log()
    client.send("deleteClients", "clientIDs:['c2']")
    #expect(
      client.log() == [
        "poke from 02:02", "  desired c2 del q1", "to 02:03",
        #"deleteClients {"clientIDs":["c2"]}"#,
      ])
  }
}
