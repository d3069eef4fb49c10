/// Identifiers made from randomness that the caller supplies.
public enum Identifiers {
  /// Length of a default ``nanoid(_:)``, in characters and random bytes.
  public static let nanoidLength = 21
  /// First letter of a profile's ID, which is a client ID otherwise.
  public static let profilePrefix = "p"

  /// One character of `0-9a-zA-Z_-` per byte, chosen by the low six bits.
  public static func nanoid(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.map { nanoidAlphabet[Int($0 & 63)] }, as: UTF8.self)
  }

  /// An ID for a client or a client group: the low 90 bits of `number` as 18 digits of base 32.
  public static func clientID(_ number: UInt128) -> String {
    let digits = (0..<18).map { place in
      clientIDAlphabet[Int(truncatingIfNeeded: number >> UInt128((17 - place) * 5)) & 31]
    }
    return String(decoding: digits, as: UTF8.self)
  }

  private static let nanoidAlphabet = Array(
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-".utf8)
  private static let clientIDAlphabet = Array("0123456789abcdefghijklmnopqrstuv".utf8)
}

/// Numbers the requests of each client of a process.
public struct RequestIDs: Sendable {
  private let processID: String
  private var counters: [UTF8Key: Int] = [:]

  /// - Parameter bytes: four random bytes, drawn once per process.
  public init(_ bytes: some Sequence<UInt8>) {
    processID = bytes.map { String($0, radix: 16) }.joined()
  }

  /// The next request ID of a client.
  public mutating func next(clientID: String) -> String {
    let number = counters[UTF8Key(clientID), default: 0]
    counters[UTF8Key(clientID)] = number + 1
    return "\(clientID)-\(processID)-\(number)"
  }
}
