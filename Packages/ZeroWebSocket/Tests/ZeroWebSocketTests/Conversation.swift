import ZeroWebSocket

/// A machine under test with what came out of it.
final class Conversation {
  var machine: WebSocketStateMachine
  var events: [WebSocketEvent] = []

  init(
    _ role: WebSocketRole = .client, maxMessageBytes: Int = 1 << 20,
    compression: DeflateParameters? = nil
  ) {
    machine = WebSocketStateMachine(
      role: role, maxMessageBytes: maxMessageBytes, compression: compression,
      random: SeededRandom(seed: 1))
  }

  var hasEnded: Bool { machine.hasEnded }
  var wantsDisconnect: Bool { machine.wantsDisconnect }
  var bufferedBytes: Int { machine.bufferedBytes }

  func receive(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { machine.receive($0, into: &events) }
  }

  /// Takes everything that is to be sent.
  func output() -> [UInt8] {
    var bytes: [UInt8] = []
    while !machine.withOutput({
      bytes.append(contentsOf: $0)
      return $0.count
    }) {}
    return bytes
  }

  /// The code of the close frame among `bytes`, which are a client's.
  static func closeCode(_ bytes: [UInt8]) -> UInt16? {
    guard bytes.count >= 8, bytes[0] == 0x88 else { return nil }
    return UInt16(bytes[6] ^ bytes[2]) << 8 | UInt16(bytes[7] ^ bytes[3])
  }
}

/// SplitMix64, so that a failing case can be run again.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

/// A frame of a server.
func frame(
  _ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0
) -> [UInt8] {
  let start = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
  switch payload.count {
  case ..<126: return start + [UInt8(payload.count)] + payload
  case ...0xFFFF:
    return start + [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
  default:
    let length = stride(from: 56, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: payload.count >> $0)
    }
    return start + [127] + length + payload
  }
}
