import Synchronization

/// One client's WebSocket. May be used from any thread; what is sent goes out in the order of the calls.
public final class ServerSocket: Sendable, Hashable {
  /// Counts the connections of a server.
  public let id: UInt32
  private let core: ServerCore
  private let buffered = Atomic(0)

  init(id: UInt32, core: ServerCore) {
    self.id = id
    self.core = core
  }

  /// Bytes handed to `send` and not yet taken by the operating system.
  public var bufferedBytes: Int { buffered.load(ordering: .acquiring) }

  /// Queues a text message, which must be valid UTF-8. Dropped after `close`.
  public func send(text utf8: [UInt8]) {
    buffered.add(utf8.count, ordering: .acquiringAndReleasing)
    core.post(.text(id, utf8))
  }

  /// Queues a text message.
  public func send(text: String) { send(text: Array(text.utf8)) }

  /// Queues a binary message.
  public func send(binary bytes: [UInt8]) {
    buffered.add(bytes.count, ordering: .acquiringAndReleasing)
    core.post(.binary(id, bytes))
  }

  /// Starts the closing handshake behind everything that was sent.
  /// - Parameters:
  ///   - code: a code that may be sent, or nil for none.
  ///   - reason: cut to 123 bytes of UTF-8.
  public func close(code: UInt16?, reason: String = "") { core.post(.close(id, code, reason)) }

  /// Ends the connection without a close frame, as a crash or a lost network would.
  /// - Parameter reset: with RST instead of FIN.
  public func drop(reset: Bool = false) { core.post(.drop(id, reset: reset)) }

  public static func == (left: ServerSocket, right: ServerSocket) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  // MARK: -

  func setBuffered(_ count: Int) { buffered.store(count, ordering: .releasing) }
}
