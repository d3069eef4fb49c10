import Testing
import Zero
import ZeroContracts

@MainActor struct GuideTests {
  @Test("rows of the server show, and mutations are sent")
  func syncs() async throws {
    let (sockets, time) = (InMemorySocketFactory(), ManualScheduler())
    var options = ZeroOptions(cacheURL: "https://zero.example", transport: sockets)
    options.scheduler = time
    let zero = try Zero(
      schema: ZeroSchema(tables: [Note.table]), userID: "ann", context: User(name: "Ann"),
      mutators: [createNote], options: options)
    _ = try await zero.clientGroupID.value  // storage is open
    let notes = try zero.materialize(openNotes())

    let server = try #require(sockets.latest)
    server.accept()
    server.receive(text: #"["connected",{"wsid":"1"}]"#)
    server.receive(text: #"["pokeStart",{"pokeID":"1","baseCookie":null}]"#)
    server.receive(
      text: #"""
        ["pokePart",{"pokeID":"1","rowsPatch":[{"op":"put","tableName":"note",
          "value":{"id":"1","text":"Buy milk","done":false}}]}]
        """#)
    server.receive(text: #"["pokeEnd",{"pokeID":"1","cookie":"1"}]"#)
    time.advance(by: .milliseconds(20))
    #expect(notes.data.map(\.text) == ["Buy milk"])

    zero.mutate(createNote(NewNote(id: "2", text: "Answer Bob")))
    #expect(notes.data.map(\.text) == ["Answer Bob", "Buy milk"])
    #expect(server.sentTexts.contains { $0.contains("note.create") })

    server.fail(SocketError(.connectionLost, message: "cable pulled"))
    time.advance(by: .seconds(60))
    #expect(zero.connection.state.name == .disconnected)
    try await zero.close().value
  }
}
