import CZeroPeer
import Synchronization

/// A server on loopback that does what a test's script says, also what no server should.
///
/// The script runs on a thread of its own for each connection and blocks as it likes; what it returns
/// for the first one is the peer's ``value()``.
public final class ScriptedPeer<Value: Sendable>: Sendable {
  public typealias Script = @Sendable (PeerConnection) throws -> Value

  /// Certificates for a peer that speaks TLS, as paths of PEM files.
  public struct TLS: Sendable {
    public var certificatePath: String
    public var keyPath: String
    /// When set, clients must show a certificate that one of these authorities has signed.
    public var clientAuthoritiesPath: String?

    public init(certificatePath: String, keyPath: String, clientAuthoritiesPath: String? = nil) {
      self.certificatePath = certificatePath
      self.keyPath = keyPath
      self.clientAuthoritiesPath = clientAuthoritiesPath
    }
  }

  public let port: UInt16
  private let core: PeerCore
  private let outcome = Outcome()

  /// - Parameter receiveBuffer: size of the socket's receive buffer, for peers that read slowly.
  public init(tls: TLS? = nil, receiveBuffer: Int? = nil, _ script: @escaping Script) throws {
    let outcome = outcome
    core = try PeerCore(
      certificates: tls.map { ($0.certificatePath, $0.keyPath, $0.clientAuthoritiesPath) },
      receiveBuffer: receiveBuffer
    ) { connection in
      outcome.set(Result { try script(connection) })
    } failure: {
      outcome.set(.failure($0))
    }
    port = core.port
  }

  deinit { core.stop() }

  public var url: String { "ws://127.0.0.1:\(port)/" }

  /// What the script has returned for the first connection, once it has.
  public func value() async throws -> Value { try await outcome.get() }

  // MARK: -

  private final class Outcome: Sendable {
    private struct State {
      var result: Result<Value, any Error>?
      var waiters: [CheckedContinuation<Value, any Error>] = []
    }
    private let state = Mutex(State())

    func set(_ result: Result<Value, any Error>) {
      let waiters = state.withLock { state in
        if state.result == nil { state.result = result }
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume(with: result) }
    }

    func get() async throws -> Value {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state in
          if state.result == nil { state.waiters.append(continuation) }
          return state.result
        }
        if let result { continuation.resume(with: result) }
      }
    }
  }
}
