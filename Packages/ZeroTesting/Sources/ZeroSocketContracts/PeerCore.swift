import CZeroPeer
import Synchronization

/// The accepting thread of a ``ScriptedPeer`` and those of its connections.
final class PeerCore: Sendable {
  typealias Script = @Sendable (PeerConnection) -> Void

  private struct State {
    /// Addresses of the C connections that are alive.
    var connections: Set<UInt> = []
    var isStopped = false
  }

  let port: UInt16
  private let listener: Int32
  private let certificates: (certificate: String, key: String, clientAuthorities: String?)?
  private let script: Script
  private let failure: @Sendable (PeerConnection.Failure) -> Void
  private let state = Mutex(State())

  init(
    certificates: (certificate: String, key: String, clientAuthorities: String?)?,
    receiveBuffer: Int?, script: @escaping Script,
    failure: @escaping @Sendable (PeerConnection.Failure) -> Void
  ) throws {
    var port: UInt16 = 0
    listener = czero_peer_listen(&port)
    self.port = port
    self.certificates = certificates
    self.script = script
    self.failure = failure
    guard listener >= 0 else {
      throw PeerConnection.Failure(description: "Cannot listen on loopback.")
    }
    if let receiveBuffer { czero_peer_limit_buffer(listener, Int32(receiveBuffer)) }
    Self.start { self.accept() }
  }

  func stop() {
    czero_peer_stop_listening(listener)
    state.withLock { state in
      state.isStopped = true
      for address in state.connections { czero_peer_interrupt(OpaquePointer(bitPattern: address)) }
    }
  }

  // MARK: -

  private func accept() {
    while let connection = czero_peer_accept(listener) {
      let address = UInt(bitPattern: connection)
      let isStopped = state.withLock { state in
        if !state.isStopped { state.connections.insert(address) }
        return state.isStopped
      }
      if isStopped {
        czero_peer_free(connection)
      } else {
        Self.start { self.serve(address) }
      }
    }
    czero_peer_close_listener(listener)
  }

  private func serve(_ address: UInt) {
    guard let connection = OpaquePointer(bitPattern: address) else { return }
    if startTLS(connection) {
      script(PeerConnection(connection))
    } else {
      failure(PeerConnection.Failure(description: "The TLS handshake failed."))
    }
    // Only once nobody can interrupt it any more may the memory go.
    state.withLock { state in _ = state.connections.remove(address) }
    czero_peer_free(connection)
  }

  private func startTLS(_ connection: OpaquePointer) -> Bool {
    guard let certificates else { return true }
    guard
      let tls = czero_peer_tls_load(
        certificates.certificate, certificates.key, certificates.clientAuthorities)
    else { return false }
    defer { czero_peer_tls_free(tls) }
    return czero_peer_start_tls(connection, tls) == 0
  }

  private final class Job {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) {
    let job = Unmanaged.passRetained(Job(body))
    let status = czero_peer_thread(
      { context in
        guard let context else { return }
        Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body()
      }, job.toOpaque())
    if status != 0 { job.release() }
  }
}
