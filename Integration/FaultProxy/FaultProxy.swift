import CZeroSockets
import Synchronization

/// A TCP proxy on loopback that misbehaves on demand: between clients and a server it delays, cuts and
/// freezes connections.
///
/// One thread carries all connections; the proxy stops when it is released.
public final class FaultProxy: Sendable {
  /// How new and open connections are treated. Changes apply at once.
  public struct Conditions: Sendable, Equatable {
    /// Milliseconds by which all bytes are held back, each way.
    public var delay = 0.0
    /// Nothing is carried, while connections stay open: what a client sees of a lost link.
    public var isFrozen = false
    /// New connections are reset.
    public var isRefusing = false
    /// Connections are reset once they have carried so many bytes to the client; nil for never.
    public var cutAfterBytes: Int?

    public init() {}
  }

  /// The port to connect to.
  public let port: UInt16
  private let state: ProxyState

  /// - Parameter upstream: the server's port on loopback.
  /// - Throws: ``FaultProxyError`` if no port is free.
  public init(upstream: UInt16) throws(FaultProxyError) {
    var port: UInt16 = 0
    let listener = czero_listen(&port, 0)
    guard listener >= 0 else { throw FaultProxyError(description: "cannot listen on loopback") }
    var reader: Int32 = 0
    var writer: Int32 = 0
    guard czero_pipe(&reader, &writer) >= 0 else {
      czero_close(listener)
      throw FaultProxyError(description: "cannot make a pipe")
    }
    let poller = czero_poller_open()
    guard poller >= 0 else {
      for descriptor in [listener, reader, writer] { czero_close(descriptor) }
      throw FaultProxyError(description: "cannot make a poller")
    }
    self.port = port
    state = ProxyState(waker: writer, upstream: upstream)
    let loop = ProxyLoop(state, poller: poller, listener: listener, waker: reader)
    let context = Unmanaged.passRetained(loop)
    let started = czero_thread_start(
      { context in
        guard let context else { return }
        Unmanaged<ProxyLoop>.fromOpaque(context).takeRetainedValue().run()
      }, context.toOpaque())
    guard started >= 0 else {
      context.release()
      for descriptor in [listener, reader, writer, poller] { czero_close(descriptor) }
      throw FaultProxyError(description: "cannot start a thread")
    }
  }

  deinit { state.change { $0.isStopped = true } }

  public var conditions: Conditions {
    get { state.values.withLock { $0.conditions } }
    set { state.change { $0.conditions = newValue } }
  }

  /// Resets all open connections.
  public func cut() { state.change { $0.cuts += 1 } }

  /// Leads new connections to another port, as after a restart of the server.
  public func redirect(to upstream: UInt16) { state.change { $0.upstream = upstream } }

  /// How many connections are open.
  public var openCount: Int { state.values.withLock { $0.openCount } }
}

/// The proxy cannot be started.
public struct FaultProxyError: Error, Sendable, CustomStringConvertible {
  public let description: String
}

/// What the proxy's owner and its thread share.
final class ProxyState: Sendable {
  struct Values: Sendable {
    var conditions = FaultProxy.Conditions()
    var upstream: UInt16
    var cuts = 0
    var isStopped = false
    var openCount = 0
  }

  let values: Mutex<Values>
  private let waker: Int32

  init(waker: Int32, upstream: UInt16) {
    self.waker = waker
    values = Mutex(Values(upstream: upstream))
  }

  deinit { czero_close(waker) }

  /// Changes the values and lets the thread look at them.
  func change(_ body: (inout Values) -> Void) {
    values.withLock { body(&$0) }
    czero_pipe_signal(waker)
  }
}
