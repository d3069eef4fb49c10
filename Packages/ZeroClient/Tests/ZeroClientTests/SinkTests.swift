import Testing
import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol

/// Notes what it is given.
@MainActor private final class Recorder<Row: ZeroTable & Identifiable>: ViewSink
where Row.ID == String {
  var log: [String] = []
  var onCommit: () -> Void = {}

  func apply(_ change: RowChange<Row>) {
    switch change {
    case .add(let row, let at): log.append("add \(row.id) at \(at)")
    case .remove(let row, let from): log.append("remove \(row.id) from \(from)")
    case .edit(let old, let new, let from, let to):
      log.append("edit \(old.id) \(new.id) from \(from) to \(to)")
    case .child(let row, let at, let related):
      log.append("child \(row.id) at \(at): \(related.relationships.joined(separator: ","))")
    }
  }

  func commit(_ resultType: ResultType, error: (any Error)?) {
    log.append("commit \(resultType)\(error == nil ? "" : " with an error")")
    onCommit()
  }

  func take() -> [String] {
    defer { log = [] }
    return log
  }
}

/// Keeps the comments of the issues it is given.
@MainActor private final class CommentSink: ViewSink {
  var bodies: [String] = []

  func apply(_ change: RowChange<Ticket>) {
    guard case .child(_, _, let related) = change else { return }
    do {
      for change in try related.of(\.comments) {
        switch change {
        case .add(let comment, _): bodies.append("+\(comment.body)")
        case .remove(let comment, _): bodies.append("-\(comment.body)")
        case .edit(let old, let new, _, _): bodies.append("\(old.body)>\(new.body)")
        case .child: break
        }
      }
    } catch {
      Issue.record(error)
    }
  }

  func commit(_ resultType: ResultType, error: (any Error)?) {}
}

@MainActor @Suite("Views that feed a sink") struct SinkTests {
  private static func comment(_ issue: String, _ number: Int, _ body: String) -> String {
    #"{"op":"put","tableName":"comment","value":"#
      + #"{"issue_id":"\#(issue)","number":\#(number),"body":"\#(body)"}}"#
  }

  @Test("a sink gets the rows that are here, then each change, and one commit for all of a poke")
  func changes() throws {
    let client = try TestClient()
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "b")))
    let sink = Recorder<Ticket>()
    let view = try client.zero.materialize(Queries.all(), into: sink)
    #expect(sink.take() == ["add 1 at 0", "commit unknown"])
    client.poke(
      #""rowsPatch":[\#(TestClient.put("2", "a")),\#(TestClient.put("3", "c"))]"#)
    #expect(sink.take() == ["add 2 at 0", "add 3 at 2", "commit unknown"])
    client.zero.mutate(Mutators.rename(Rename(id: "2", title: "z")))
    #expect(sink.take() == ["edit 2 2 from 0 to 2", "commit unknown"])
    client.poke(#""rowsPatch":[{"op":"del","tableName":"issues","id":{"id":"3"}}]"#)
    #expect(sink.take() == ["remove 3 from 1", "commit unknown"])
    let hash = try #require(client.zero.diagnostics().queries.first?.hash)
    client.poke(#""gotQueriesPatch":[{"op":"put","hash":"\#(hash)"}]"#)
    #expect(sink.take() == ["commit complete"])
    #expect(view.resultType == .complete)
  }

  @Test("changes of related rows come as child changes, typed by the relation")
  func childChanges() throws {
    let client = try TestClient()
    client.connect()
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one")),\#(Self.comment("1", 1, "x"))]"#)
    let (sink, comments) = (Recorder<Ticket>(), CommentSink())
    let views = [
      try client.zero.materialize(Queries.byID("1"), into: sink),
      try client.zero.materialize(Queries.byID("1"), into: comments),
    ]
    #expect(sink.take() == ["add 1 at 0", "commit unknown"])
    client.poke(#""rowsPatch":[\#(Self.comment("1", 1, "y")),\#(Self.comment("1", 2, "z"))]"#)
    #expect(sink.take() == ["child 1 at 0: comments", "commit unknown"])
    #expect(comments.bodies == ["x>y", "+z"])
    client.poke(
      #""rowsPatch":[\#(TestClient.put("1", "uno")),"#
        + #"{"op":"del","tableName":"comment","id":{"issue_id":"1","number":1}}]"#)
    #expect(
      sink.take() == ["edit 1 1 from 0 to 0", "child 1 at 0: comments", "commit unknown"])
    #expect(comments.bodies == ["x>y", "+z", "-y"])
    for view in views { view.destroy() }
  }

  @Test("a sink hears nothing after its view was destroyed, released, or destroyed in a commit")
  func ends() throws {
    let client = try TestClient()
    let (destroyed, released, own) = (Recorder<Ticket>(), Recorder<Ticket>(), Recorder<Ticket>())
    let first = try client.zero.materialize(Queries.all(), into: destroyed)
    var second: SinkView<[Ticket]>? = try client.zero.materialize(Queries.all(), into: released)
    let third = try client.zero.materialize(Queries.all(), into: own)
    own.onCommit = { third.destroy() }
    first.destroy()
    #expect(second != nil)
    second = nil
    for id in ["1", "2"] { client.zero.mutate(Mutators.create(Rename(id: id, title: id))) }
    #expect(destroyed.log == ["commit unknown"])
    #expect(released.log == ["commit unknown"])
    #expect(own.log == ["commit unknown", "add 1 at 0", "commit unknown"])
    #expect(client.zero.diagnostics().liveViewCount == 0)
  }

  @Test("what a sink calls on the client takes effect after its commit")
  func reentry() throws {
    let client = try TestClient()
    let sink = Recorder<Ticket>()
    let view = try client.zero.materialize(Queries.all(), into: sink)
    var isFirst = true
    sink.onCommit = {
      guard isFirst else { return }
      isFirst = false
      client.zero.mutate(Mutators.create(Rename(id: "2", title: "b")))
    }
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "a")))
    #expect(
      sink.log == [
        "commit unknown", "add 1 at 0", "commit unknown", "add 2 at 1", "commit unknown",
      ])
    view.destroy()
  }

  @Test("rows that cannot be read are an error of the commit, and come when they can be read")
  func unreadable() throws {
    let client = try TestClient()
    client.connect()
    let sink = Recorder<Ticket>()
    let view = try client.zero.materialize(Queries.byID("1"), into: sink)
    client.poke(
      #""rowsPatch":[{"op":"put","tableName":"issues","value":{"id":"1","title":"t","votes":"x"}}]"#
    )
    #expect(sink.take() == ["commit unknown", "commit unknown with an error"])
    guard case .decoding(let error)? = view.error as? ZeroError else {
      Issue.record("expected an error of decoding")
      return
    }
    #expect(error.column == "votes")
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "t"))]"#)
    #expect(sink.take() == ["add 1 at 0", "commit unknown"])
    #expect(view.error == nil)
  }

  @Test("a sink follows to the client that takes over")
  func replacement() throws {
    let client = try TestClient()
    client.connect()
    let sink = Recorder<Ticket>()
    let view = try client.zero.materialize(Queries.all(), into: sink)
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    _ = sink.take()
    client.receive(#"["error",{"kind":"ClientNotFound","message":"who?","origin":"zeroCache"}]"#)
    client.scheduler.advance(by: .milliseconds(1))
    #expect(sink.take().contains("remove 1 from 0"))
    view.destroy()
  }
}
