import Testing

@testable import ZeroWebSocket

struct CompressionTests {
  private static func parameters(_ change: (inout DeflateParameters) -> Void) -> DeflateParameters {
    var parameters = DeflateParameters()
    change(&parameters)
    return parameters
  }

  static let agreements: [DeflateParameters] = [
    DeflateParameters(),
    parameters { $0.serverNoContextTakeover = true },
    parameters { $0.clientNoContextTakeover = true },
    parameters {
      $0.serverMaxWindowBits = 9
      $0.clientMaxWindowBits = 9
    },
    parameters { $0.clientMaxWindowBits = 8 },
  ]

  @Test("compressed messages come back as they were, whatever was agreed", arguments: agreements)
  func roundTrip(agreement: DeflateParameters) {
    let client = Conversation(.client, compression: agreement)
    let server = Conversation(.server, compression: agreement)
    let text = Array(String(repeating: "zwölf Boxkämpfer ", count: 5000).utf8)
    for _ in 0..<3 {
      client.machine.send(text: text)
      client.machine.send(binary: [])
      client.machine.send(text: Array("short".utf8))
      let bytes = client.output()
      if agreement.clientMaxWindowBits > 8 { #expect(bytes.count < text.count / 10) }
      server.receive(bytes)
      server.machine.send(text: text)
      client.receive(server.output())
    }
    #expect(client.events == [.text(text), .text(text), .text(text)])
    #expect(server.events.count == 9 && server.events[6] == .text(text))
  }

  @Test("a message that grows beyond the limit is stopped on the way")
  func bomb() {
    let server = Conversation(.server, maxMessageBytes: 100 << 20, compression: DeflateParameters())
    server.machine.send(binary: [UInt8](repeating: 0, count: 50 << 20))
    let bytes = server.output()
    #expect(bytes.count < 100_000)
    let client = Conversation(maxMessageBytes: 1 << 20, compression: DeflateParameters())
    client.receive(bytes)
    guard case .closed(let end)? = client.events.first else {
      Issue.record("no end")
      return
    }
    #expect(end.error?.code == .messageTooLarge)
  }

  @Test("corrupt deflate data breaks the protocol")
  func corrupt() {
    let client = Conversation(compression: DeflateParameters())
    client.receive(frame(1, [0xFF, 0xFF, 0xFF, 0xFF], reserved: 4))
    #expect(Conversation.closeCode(client.output()) == 1002)
  }

  @Test("compressed text is checked for UTF-8, also across fragments")
  func compressedText() {
    var deflater = Deflater(windowBits: 15, resetsAfterMessage: true)
    let bad = deflater?.deflate([0x61, 0xFF]) ?? []
    let good = deflater?.deflate(Array("€uro".utf8)) ?? []
    let client = Conversation(compression: DeflateParameters())
    client.receive(frame(1, Array(good.prefix(2)), isFinal: false, reserved: 4))
    client.receive(frame(0, Array(good.dropFirst(2))))
    #expect(client.events == [.text(Array("€uro".utf8))])
    client.receive(frame(1, bad, reserved: 4))
    #expect(Conversation.closeCode(client.output()) == 1007)
  }

  @Test(
    "a server's answer to the offer is accepted or refused",
    arguments: [
      ("permessage-deflate", true),
      ("permessage-deflate; server_no_context_takeover; client_max_window_bits=\"10\"", true),
      ("permessage-deflate; client_max_window_bits=7", false),
      ("permessage-deflate; client_max_window_bits", false),
      ("permessage-deflate; client_max_window_bits=08", false),
      ("permessage-deflate; x=1", false),
      ("permessage-deflate; server_no_context_takeover; server_no_context_takeover", false),
      ("permessage-deflate, permessage-deflate", false), ("x-webkit-deflate-frame", false),
    ])
  func answers(header: String, isValid: Bool) {
    #expect(((try? DeflateParameters.accepted(header)) != nil) == isValid)
  }
}
