import Testing
import ZeroContracts
import ZeroProtocol

@testable import ZeroDevServer

@MainActor @Suite("queries of a client group") struct QueryFlowTests {
  let test: TestServer

  init() throws { test = try TestServer() }

  static let notes = "{op:'put',hash:'q1',name:'notes',args:[],ttl:3000}"
  static let folder = "{op:'put',hash:'q2',name:'inFolder',args:['f1'],ttl:60000}"

  @Test("a first connection gets its desired query, then rows and the got query")
  func firstConnection() {
    let client = test.connect(initialize: "desiredQueriesPatch:[\(Self.folder)]")
    #expect(
      client.log() == [
        "connected w-c1",
        "poke from null", "  desired c1 put q2", "to 00:01",
        "poke from 00:01", "  got put q2",
        #"  put note {"id":"n1","text":"one","folder_id":"f1"}"#, "to 02",
      ])
  }

  @Test("a named query is found by its parts, with points or bars between them")
  func nameLookup() throws {
    for name in ["notes.inFolder", "notes|inFolder"] {
      let client = try TestServer().connect(
        initialize: "desiredQueriesPatch:[{op:'put',hash:'q1',name:'\(name)',args:['f1']}]")
      #expect(client.log().contains("  got put q1"), "\(name)")
    }
  }

  @Test("a client without queries gets the empty poke it waits for")
  func emptyPoke() {
    let client = test.connect()
    #expect(client.log() == ["connected w-c1", "poke from null", "to 00:01"])
    let again = test.connect(cookie: "00:01", withSchema: false)
    #expect(client.log() == ["closed without code"])
    #expect(again.log() == ["connected w-c1", "poke from 00:01", "to 00:01"])
  }

  @Test("rows the group has already are not sent again")
  func sharedRows() {
    let client = test.connect(initialize: "desiredQueriesPatch:[\(Self.folder)]")
    _ = client.log()
    client.send("changeDesiredQueries", "desiredQueriesPatch:[\(Self.notes)]")
    #expect(
      client.log() == [
        "poke from 02", "  desired c1 put q1", "to 02:01",
        "poke from 02:01", "  got put q1",
        #"  put note {"id":"n2","text":"two","folder_id":"f2"}"#, "to 02:02",
      ])
  }

  @Test("a commit goes out as one poke, to those it concerns")
  func commit() throws {
    let client = test.connect(initialize: "desiredQueriesPatch:[\(Self.folder)]")
    _ = client.log()
    try test.server.write { transaction in
      let note = try transaction.database.schema.table("note")
      try transaction.update(note, ["id": "n1".json, "text": "eins".json], names: .server)
      try transaction.update(note, ["id": "n2".json, "folder_id": "f1".json], names: .server)
    }
    #expect(
      client.log() == [
        "poke from 02",
        #"  put note {"id":"n1","text":"eins","folder_id":"f1"}"#,
        #"  put note {"id":"n2","text":"two","folder_id":"f1"}"#, "to 03",
      ])
    try test.server.write { transaction in
      let folder = try transaction.database.schema.table("folder")
      try transaction.insert(folder, ["id": "f9".json], names: .server)
    }
    #expect(client.log() == [])
    try test.server.write { transaction in
      let note = try transaction.database.schema.table("note")
      try transaction.update(note, ["id": "n2".json, "folder_id": "f2".json], names: .server)
      try transaction.delete(note, ["id": "n1".json], names: .server)
    }
    #expect(
      client.log() == [
        "poke from 03", #"  del note {"id":"n1"}"#, #"  del note {"id":"n2"}"#, "to 05",
      ])
  }

  @Test("a query lives on for its time, then got and rows go in one poke")
  func timeToLive() {
    let client = test.connect(initialize: "desiredQueriesPatch:[\(Self.notes)]")
    _ = client.log()
    client.send("changeDesiredQueries", "desiredQueriesPatch:[{op:'del',hash:'q1'}]")
    #expect(client.log() == ["poke from 02", "  desired c1 del q1", "to 02:01"])
    test.scheduler.advance(by: .seconds(2))
    #expect(client.log() == [])
    test.scheduler.advance(by: .seconds(2))
    #expect(
      client.log() == [
        "poke from 02:01", "  got del q1", #"  del note {"id":"n1"}"#, #"  del note {"id":"n2"}"#,
        "to 02:02",
      ])
  }

  @Test("a query that comes back before it expires is only desired again")
  func revived() {
    let client = test.connect(initialize: "desiredQueriesPatch:[\(Self.notes)]")
    client.send("changeDesiredQueries", "desiredQueriesPatch:[{op:'del',hash:'q1'}]")
    _ = client.log()
    client.send("changeDesiredQueries", "desiredQueriesPatch:[\(Self.notes)]")
    #expect(client.log() == ["poke from 02:01", "  desired c1 put q1", "to 02:02"])
    test.scheduler.advance(by: .seconds(5))
    #expect(client.log() == [])
  }

  @Test("no time to live: both pokes follow each other at once")
  func noTimeToLive() {
    let client = test.connect(
      initialize: "desiredQueriesPatch:[{op:'put',hash:'q2',name:'inFolder',args:['f1'],ttl:0}]")
    _ = client.log()
    client.send("changeDesiredQueries", "desiredQueriesPatch:[{op:'del',hash:'q2'}]")
    #expect(
      client.log() == [
        "poke from 02", "  desired c1 del q2", "to 02:01",
        "poke from 02:01", "  got del q2", #"  del note {"id":"n1"}"#, "to 02:02",
      ])
  }

  @Test("the clock of the queries stands while nobody is connected")
  func standingClock() {
    let client = test.connect(initialize: "desiredQueriesPatch:[\(Self.notes)]")
    client.send("changeDesiredQueries", "desiredQueriesPatch:[{op:'del',hash:'q1'}]")
    test.scheduler.advance(by: .seconds(1))
    client.connection?.closed()
    test.scheduler.advance(by: .seconds(3600))
    let again = test.connect(cookie: "02:01", withSchema: false)
    #expect(again.log() == ["connected w-c1", "poke from 02:01", "to 02:01"])
    test.scheduler.advance(by: .milliseconds(1900))
    #expect(again.log() == [])
    test.scheduler.advance(by: .milliseconds(200))
    #expect(again.log().contains("  got del q1"))
  }

  @Test("a refused query is told, dropped, and does not keep others from completing")
  func refusedQuery() {
    let client = test.connect(
      initialize:
        "desiredQueriesPatch:[\(Self.folder),{op:'put',hash:'q3',name:'refused',args:[]}]")
    #expect(
      client.log() == [
        "connected w-c1",
        "poke from null", "  desired c1 put q2", "  desired c1 put q3", "to 00:01",
        #"transformError [{"error":"app","id":"q3","name":"refused","message":"no","details":{"code":7}}]"#,
        "poke from 00:01", "  got del q3", "  got put q2",
        #"  put note {"id":"n1","text":"one","folder_id":"f1"}"#, "to 02",
      ])
    client.send("changeDesiredQueries", "desiredQueriesPatch:[{op:'del',hash:'q3'}]")
    #expect(client.log() == [])
  }

  @Test("a repeated put and an unknown del are not worth a poke")
  func nothingNew() {
    let client = test.connect(initialize: "desiredQueriesPatch:[\(Self.notes)]")
    _ = client.log()
    client.send(
      "changeDesiredQueries", "desiredQueriesPatch:[\(Self.notes),{op:'del',hash:'none'}]")
    #expect(client.log() == [])
  }
}
