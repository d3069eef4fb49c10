import Testing
import ZeroContracts
import ZeroProtocol

@testable import ZeroDevServer

@MainActor @Suite("faults on demand") struct FaultTests {
  let test: TestServer

  init() throws { test = try TestServer() }

  static let notes = "desiredQueriesPatch:[{op:'put',hash:'q1',name:'notes',args:[]}]"

  /// Sends a command and returns its answer's text.
  @discardableResult
  private func control(_ short: String) -> String {
    test.server.control(TestServer.json(short)).jsonString
  }

  @Test("fail strikes once, where and whom it was told to")
  func failNext() {
    #expect(
      control("do:'fail',at:'push',kind:'Rehome',message:'away',minBackoffMs:5,client:'c2'")
        == #"{"ok":true}"#)
    let first = test.connect()
    first.push(1, "add", "id:'n7',text:'7'")
    #expect(first.log().last == "to 03")
    let second = test.connect("c2", group: "g2")
    _ = second.log()
    second.send(
      "push", "timestamp:1,clientGroupID:'g2',pushVersion:1,requestID:'r',mutations:[]")
    #expect(second.log() == ["error Rehome: away", "closed without code"])
    guard case .text(let text)? = second.frames.last else { return #expect(Bool(false)) }
    #expect(String(decoding: text, as: UTF8.self).contains(#""minBackoffMs":5"#))
  }

  @Test("the bodies of failed pushes and transforms are complete")
  func completeBodies() throws {
    control("do:'fail',at:'connect',kind:'PushFailed'")
    let client = test.connect()
    guard case .text(let text)? = client.frames.last else { return #expect(Bool(false)) }
    let message = try DownstreamMessage(text: text)
    guard case .error(let error) = message else { return #expect(Bool(false)) }
    #expect(error.kind == .pushFailed)
  }

  @Test("drop strikes before connected, inside a poke, after a push, or at once")
  func drop() {
    control("do:'drop',at:'connect'")
    #expect(test.connect().log() == ["dropped"])
    control("do:'drop',at:'poke'")
    #expect(
      test.connect(initialize: Self.notes).log() == ["connected w-c1", "poke from null", "dropped"])
    let client = test.connect(initialize: Self.notes, withSchema: false)
    _ = client.log()
    control("do:'drop',at:'afterPush'")
    client.push(1, "add", "id:'n7',text:'7'")
    #expect(client.log().suffix(2) == ["to 03", "dropped"])
    let last = test.connect(cookie: "03", withSchema: false)
    _ = last.log()
    control("do:'drop'")
    #expect(last.log() == ["dropped"])
  }

  @Test("a cancelled poke is followed by the whole one")
  func cancel() {
    control("do:'cancel'")
    let log = test.connect(initialize: Self.notes).log()
    #expect(log.filter { $0 == "poke from null" }.count == 2)
    #expect(log.contains("cancelled"))
  }

  @Test("a poke with a wrong base, an unknown message, a close code")
  func tampering() {
    control("do:'wrongBase'")
    #expect(test.connect().log()[1] == "poke from 01")
    control("do:'unknownMessage',at:'ping'")
    let client = test.connect("c2", group: "g2")
    _ = client.log()
    client.send("ping")
    #expect(client.log() == ["unheardOf {}", "pong {}"])
    control("do:'close',code:1009,reason:'too big',client:'c2'")
    #expect(client.log() == ["closed 1009: too big"])
  }

  @Test("what is sent waits for the delay, in order")
  func delay() {
    control("do:'delay',ms:200")
    let client = test.connect()
    #expect(client.log() == [])
    test.scheduler.advance(by: .milliseconds(199))
    #expect(client.log() == [])
    test.scheduler.advance(by: .milliseconds(1))
    #expect(client.log() == ["connected w-c1", "poke from null", "to 00:01"])
    control("do:'delay',ms:0")
    client.push(1, "add", "id:'n7',text:'7'")
    #expect(client.log().last == "to 03")
  }

  @Test("a paused client hears and says nothing until it is resumed")
  func pause() {
    let client = test.connect()
    _ = client.log()
    control("do:'pause',client:'c1'")
    client.send("ping")
    client.push(1, "add", "id:'n7',text:'7'")
    #expect(client.log() == [])
    control("do:'resume',client:'c1'")
    #expect(client.log() == ["pong {}", "poke from 00:01", "  lmid c1 1", "to 03"])
  }

  @Test("chunks are cut as small as wanted, between characters while they fit")
  func chunks() throws {
    control("do:'write',changes:[{op:'put',table:'note',row:{id:'é🚀',text:'ä'}}]")
    control("do:'chunk',bytes:6")
    let client = test.connect(initialize: Self.notes)
    #expect(client.log().contains { $0.contains("é🚀") })
    for case .binary(let bytes) in client.frames {
      #expect(bytes.count <= 6 && String(validating: bytes.dropFirst(), as: UTF8.self) != nil)
    }
    control("do:'chunk',bytes:2")
    let second = test.connect("c2", group: "g2", initialize: Self.notes)
    #expect(second.log().contains { $0.contains("é🚀") })
    for case .binary(let bytes) in second.frames { #expect(bytes.count == 2) }
  }

  @Test("tokens are accepted, revoked and restored")
  func tokens() {
    control("do:'acceptToken',token:'t-new',userID:'eve'")
    let client = test.connect(user: "eve", token: "t-new")
    #expect(client.log().last == "to 00:01")
    control("do:'revokeToken',token:'t-new'")
    client.push(1, "add", "id:'n7',text:'7'")
    #expect(client.log().first?.hasPrefix("error PushFailed http") == true)
    control("do:'restoreToken',token:'t-new'")
    let again = test.connect(cookie: "00:01", user: "eve", token: "t-new", withSchema: false)
    again.push(1, "add", "id:'n7',text:'7'")
    #expect(again.log().contains("  lmid c1 1"))
  }

  @Test("a forgotten group stays forgotten")
  func forget() {
    let client = test.connect()
    _ = client.log()
    control("do:'forgetGroup',group:'g1'")
    #expect(client.log() == ["error ClientNotFound: Client not found", "closed without code"])
    #expect(test.connect().log().contains("error ClientNotFound: Client not found"))
    #expect(test.connect(group: "g2").log().last == "to 00:01")
  }

  @Test("a column that is hidden ends the connections that need it")
  func hide() {
    let client = test.connect()
    _ = client.log()
    control("do:'hide',table:'note',column:'text'")
    #expect(client.log().first?.hasPrefix("error SchemaVersionNotSupported") == true)
    control("do:'show',table:'note',column:'text'")
    #expect(test.connect(cookie: "00:01", withSchema: false).log().last == "to 00:01")
  }

  @Test("rows are written in one transaction, with a mutation's ID if it is named")
  func write() {
    let client = test.connect(initialize: Self.notes)
    _ = client.log()
    control(
      "do:'write',changes:[{op:'del',table:'note',row:{id:'n1'}},{op:'put',table:'note',row:"
        + "{id:'n8',text:'8'}}],mutation:{clientGroupID:'g1',clientID:'c1',id:4}")
    #expect(
      client.log() == [
        "poke from 02", "  lmid c1 4", #"  del note {"id":"n1"}"#,
        #"  put note {"id":"n8","text":"8","folder_id":null}"#, "to 03",
      ])
    #expect(control("do:'rows',table:'note'").contains(#"{"id":"n8","text":"8""#))
    #expect(control("do:'state'").contains(#""note":2"#))
  }

  @Test("commands that make no sense are answered with what is wrong")
  func badCommands() {
    for (command, message) in [
      ("what:1", "expected an object"), ("do:'dance'", "unknown command"),
      ("do:'fail',at:'push'", "needs a text"), ("do:'delay',ms:-1", "must be a number"),
      ("do:'write',changes:[{op:'put',table:'nowhere',row:{}}]", "does not exist"),
      ("do:'write',changes:[{op:'turn',table:'note',row:{}}]", "unknown op"),
      ("do:'rows',table:'nowhere'", "does not exist"),
    ] {
      let answer = control(command)
      #expect(
        answer.hasPrefix(#"{"ok":false"#) && answer.contains(message), "\(command): \(answer)")
    }
  }
}
