import Testing
import ZeroWebSocket

struct FrameTests {
  @Test(
    "a message of any length passes from client to server and back",
    arguments: [0, 1, 125, 126, 127, 65535, 65536, 200_000])
  func lengths(length: Int) {
    let payload = (0..<length).map { UInt8(97 + $0 % 26) }
    let client = Conversation(.client)
    let server = Conversation(.server)
    client.machine.send(text: payload)
    client.machine.send(binary: payload)
    server.receive(client.output())
    #expect(server.events == [.text(payload), .binary(payload)])
    server.machine.send(text: payload)
    client.receive(server.output())
    #expect(client.events == [.text(payload)])
    #expect(client.bufferedBytes == 0)
  }

  @Test("where the bytes are cut makes no difference", arguments: 1..<30)
  func cuts(size: Int) {
    let euro = Array("€".utf8)
    let stream =
      frame(1, [], isFinal: false) + frame(0, [euro[0]], isFinal: false) + frame(9, [7])
      + frame(0, Array(euro[1...])) + frame(2, [UInt8](repeating: 5, count: 300))
      + frame(10, [1]) + frame(1, [UInt8](repeating: 65, count: 70000)) + frame(8, [3, 232, 104])
    let client = Conversation()
    for start in stride(from: 0, to: stream.count, by: size) {
      client.receive(Array(stream[start..<min(start + size, stream.count)]))
    }
    #expect(
      client.events == [
        .ping([7]), .text(euro), .binary([UInt8](repeating: 5, count: 300)), .pong([1]),
        .text([UInt8](repeating: 65, count: 70000)), .closed(WebSocketEnd(code: 1000, reason: "h")),
      ])
  }

  @Test(
    "what no server may send ends the conversation with the right close code",
    arguments: [
      ("reserved bit", frame(1, [65], reserved: 4), 1002),
      ("second reserved bit", frame(1, reserved: 2), 1002),
      ("third reserved bit", frame(1, reserved: 1), 1002),
      ("opcode 3", frame(3), 1002), ("opcode 7", frame(7), 1002),
      ("opcode 11", frame(11), 1002), ("opcode 15", frame(15), 1002),
      ("masked frame", [0x81, 0x81, 0, 0, 0, 0, 65], 1002),
      ("fragmented ping", frame(9, isFinal: false), 1002),
      ("long ping", frame(9, [UInt8](repeating: 0, count: 126)), 1002),
      ("continuation of nothing", frame(0, [65]), 1002),
      ("text in text", frame(1, [65], isFinal: false) + frame(1, [65]), 1002),
      ("length not shortest, 2 bytes", [0x82, 126, 0, 125], 1002),
      ("length not shortest, 8 bytes", [0x82, 127, 0, 0, 0, 0, 0, 0, 255, 255], 1002),
      ("length with its highest bit", [0x82, 127, 255, 0, 0, 0, 0, 0, 0, 0], 1002),
      ("half a close code", frame(8, [3]), 1002),
      ("close code 1005", frame(8, [3, 237]), 1002), ("close code 999", frame(8, [3, 231]), 1002),
      ("close code 2999", frame(8, [11, 183]), 1002),
      ("close code 5000", frame(8, [19, 136]), 1002),
      ("close reason not UTF-8", frame(8, [3, 232, 0xFF]), 1007),
      ("text not UTF-8", frame(1, [0xFF]), 1007),
      ("text not UTF-8 in its first fragment", frame(1, [0xC0], isFinal: false), 1007),
      ("text cut in a character", frame(1, [0xE2, 0x82]), 1007),
      ("too large", [0x82, 127, 0, 0, 0, 0, 0, 16, 0, 1], 1009),
      (
        "too large in fragments",
        frame(2, [0], isFinal: false) + [0, 127, 0, 0, 0, 0, 0, 16, 0, 0], 1009
      ),
    ] as [(String, [UInt8], UInt16)])
  func violations(name: String, bytes: [UInt8], code: UInt16) {
    let client = Conversation()
    client.receive(frame(2, [1]) + bytes + frame(2, [2]))
    #expect(client.events.count == 2, "\(name)")
    guard case .closed(let end)? = client.events.last else {
      Issue.record("\(name): \(client.events)")
      return
    }
    #expect(end.code == 1006 && end.error?.closeCode == code, "\(name)")
    #expect(Conversation.closeCode(client.output()) == code, "\(name)")
    #expect(client.wantsDisconnect)
  }

  @Test("a header that cannot be legal fails before it is complete")
  func failFast() {
    let client = Conversation()
    client.receive([0xB1])
    #expect(client.hasEnded)
  }

  @Test("a header that announces more than there is memory costs nothing")
  func announcement() {
    let client = Conversation(maxMessageBytes: .max)
    client.receive([0x82, 127, 0x3F, 255, 255, 255, 255, 255, 255, 255, 1, 2, 3])
    #expect(!client.hasEnded && client.events.isEmpty)
  }

  @Test(
    "close codes are valid as the RFC and its registry say",
    arguments: [
      (999, false), (1000, true), (1003, true), (1004, false), (1005, false), (1006, false),
      (1007, true), (1014, true), (1015, false), (1016, false), (2999, false), (3000, true),
      (4999, true), (5000, false), (65535, false),
    ] as [(UInt16, Bool)])
  func closeCodes(code: UInt16, isValid: Bool) { #expect(CloseCode.isValid(code) == isValid) }

  @Test(
    "hostile bytes never crash and never cost more than the limit", arguments: [1, 2] as [UInt64])
  func fuzz(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for round in 0..<3000 {
      var bytes = frame(1, Array("hello".utf8), isFinal: false) + frame(9, [1]) + frame(0, [33])
      bytes += frame(2, [UInt8](repeating: 1, count: 130)) + frame(8, [3, 232])
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: .min ... .max, using: &random)
      }
      let client = Conversation(
        maxMessageBytes: 1000, compression: round % 2 == 0 ? DeflateParameters() : nil)
      client.receive(bytes)
      client.machine.receiveEnd(into: &client.events)
      let ends = client.events.count { if case .closed = $0 { true } else { false } }
      #expect(ends == 1 && client.hasEnded, "seed \(seed), round \(round)")
    }
  }
}
