import CZeroSockets
import Synchronization

/// The part of a server that every thread may touch: the queue of what its I/O thread shall do.
final class ServerCore: Sendable {
  enum Command: Sendable {
    case text(UInt32, [UInt8])
    case binary(UInt32, [UInt8])
    case close(UInt32, UInt16?, String)
    case drop(UInt32, reset: Bool)
    case respond(UInt32, HTTPResponse)
    case stop
  }

  let port: UInt16
  let options: WebSocketServerOptions
  let service: any WebSocketService
  let listener: Int32
  let poller: Int32
  let wakeReader: Int32

  private struct State {
    var commands: [Command] = []
    /// The descriptors are closed; nobody may signal any more.
    var isOver = false
  }

  private let wakeWriter: Int32
  private let state = Mutex(State())

  init(
    _ service: any WebSocketService, _ options: WebSocketServerOptions
  ) throws(WebSocketServerError) {
    var port = options.port
    let listener = czero_listen(&port, options.isPublic ? 1 : 0)
    self.listener = listener
    guard listener >= 0 else {
      let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
        buffer.initialize(repeating: 0)
        czero_error_text(Int(listener), buffer.baseAddress, buffer.count)
        return buffer.baseAddress.map { String(cString: $0) } ?? ""
      }
      throw WebSocketServerError(
        description: "Cannot listen on port \(options.port): \(reason). Choose another port.")
    }
    self.port = port
    self.options = options
    self.service = service
    poller = czero_poller_open()
    var reader: Int32 = -1
    var writer: Int32 = -1
    czero_pipe(&reader, &writer)
    wakeReader = reader
    wakeWriter = writer
  }

  /// Starts the I/O thread, which keeps the core alive until it stops.
  func start() throws(WebSocketServerError) {
    let retained = Unmanaged.passRetained(self)
    let status = czero_thread_start(
      { context in
        guard let context else { return }
        let core = Unmanaged<ServerCore>.fromOpaque(context).takeRetainedValue()
        ServerLoop(core).run()
      }, retained.toOpaque())
    guard status == 0 else {
      retained.release()
      finish()
      throw WebSocketServerError(description: "The system cannot start a thread for I/O.")
    }
  }

  func post(_ command: Command) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.commands.append(command)
      if state.commands.count == 1 { czero_pipe_signal(wakeWriter) }
    }
  }

  func takeCommands() -> [Command] {
    state.withLock { state in
      defer { state.commands.removeAll(keepingCapacity: true) }
      return state.commands
    }
  }

  /// Closes what the core has open.
  func finish() {
    state.withLock { state in
      guard !state.isOver else { return }
      state = State(isOver: true)
      for descriptor in [listener, wakeReader, wakeWriter, poller] { czero_close(descriptor) }
    }
  }
}
