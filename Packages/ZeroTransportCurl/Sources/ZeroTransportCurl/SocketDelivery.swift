import Synchronization
import ZeroProtocol

/// Carries what happens on a socket from the I/O thread to the main actor, in order and in batches:
/// whatever came up while the main actor was busy is handed over in one go.
final class SocketDelivery: Sendable {
  enum Item: Sendable {
    case opened(subprotocol: String?)
    case messages([SocketMessage])
    case drained
    case closed(SocketClose)

    /// About the memory it holds while it waits. Small messages cost more than their bytes.
    fileprivate var byteCount: Int {
      guard case .messages(let messages) = self else { return 0 }
      return messages.reduce(0) { sum, message in
        switch message {
        case .text(let bytes), .binary(let bytes): sum + bytes.count + 64
        }
      }
    }
  }

  private struct State {
    var items: [Item] = []
    var isScheduled = false
    var byteCount = 0
  }

  private let state = Mutex(State())
  private let receiver: Receiver

  init(_ receiver: Receiver) { self.receiver = receiver }

  /// Who hears of it: the socket and its listener, both of which may be gone.
  @MainActor final class Receiver {
    weak var socket: CurlSocket?
    weak var events: (any SocketEvents)?

    init(events: any SocketEvents) { self.events = events }
  }

  /// Bytes of messages that wait for the main actor.
  var waitingBytes: Int { state.withLock { $0.byteCount } }

  func post(_ item: Item) {
    let byteCount = item.byteCount
    let mustSchedule = state.withLock { state in
      state.byteCount += byteCount
      state.items.append(item)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { Task { @MainActor in self.deliver() } }
  }

  // MARK: -

  @MainActor private func deliver() {
    let (items, byteCount) = state.withLock { state in
      defer { state = State() }
      return (state.items, state.byteCount)
    }
    guard let socket = receiver.socket else { return }
    var messages: [SocketMessage] = []
    for item in items {
      if case .messages(let more) = item {
        if messages.isEmpty { messages = more } else { messages += more }
        continue
      }
      socket.deliver(messages, to: receiver.events)
      messages = []
      socket.deliver(item, to: receiver.events)
    }
    socket.deliver(messages, to: receiver.events)
    if byteCount > Channel.pauseBytes { socket.didCatchUp() }
  }
}
