import ZeroProtocol

/// Makes the random IDs of a client. Tests give it their own source of numbers.
@_spi(Engine) @MainActor public final class IDGenerator {
  private let next: () -> UInt64
  private lazy var requestIDs = RequestIDs(bytes(4))

  /// - Parameter next: random numbers of 64 bits; nil takes those of the system.
  public init(next: (() -> UInt64)? = nil) {
    self.next = next ?? { UInt64.random(in: .min ... .max) }
  }

  /// An ID for a client or a client group.
  func clientID() -> String {
    Identifiers.clientID(UInt128(next()) << 64 | UInt128(next()))
  }

  func profileID() -> String { Identifiers.profilePrefix + clientID() }

  /// An ID for one attempt to connect.
  func attemptID() -> String { Identifiers.nanoid(bytes(Identifiers.nanoidLength)) }

  func requestID(clientID: String) -> String { requestIDs.next(clientID: clientID) }

  // MARK: -

  private func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes.prefix(count))
  }
}
