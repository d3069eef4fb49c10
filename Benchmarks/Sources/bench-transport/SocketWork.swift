import Foundation
import ZeroProtocol
import ZeroTransportCurl

/// Work over one socket of ours, done on the main actor as a client does it.
@MainActor final class SocketWork: SocketEvents {
  private let send: [UInt8]
  private var remaining: Int
  private let repeats: Bool
  private var start = ContinuousClock.now
  private var sentAt = ContinuousClock.now
  private var latencies: [Double] = []
  private var seconds = 0.0
  private var failure: String?
  private let done: @MainActor (Result<Outcome, WorkFailure>) -> Void
  private var socket: (any SocketConnection)?

  /// What the work came to.
  struct Outcome: Sendable {
    /// From the first message sent to the last one received.
    var seconds: Double
    /// Microseconds of each round trip, when there were any.
    var latencies: [Double]
  }

  struct WorkFailure: Error { let message: String }

  /// Sends `text` and waits for `count` messages, sending it again after each if `repeats`.
  private init(
    text: [UInt8], count: Int, repeats: Bool,
    done: @escaping @MainActor (Result<Outcome, WorkFailure>) -> Void
  ) {
    send = text
    remaining = count
    self.repeats = repeats
    self.done = done
    if repeats { latencies.reserveCapacity(count) }
  }

  /// Does the work from another thread, which waits for it.
  nonisolated static func run(
    _ url: String, text: String, count: Int, repeats: Bool,
    options: CurlTransportOptions = CurlTransportOptions()
  ) throws -> Outcome {
    let semaphore = DispatchSemaphore(value: 0)
    let box = OutcomeBox()
    Task { @MainActor in
      let work = SocketWork(text: Array(text.utf8), count: count, repeats: repeats) {
        box.result = $0
        semaphore.signal()
      }
      work.socket = CurlSocketFactory(options: options).open(SocketRequest(url: url), events: work)
      box.work = work
    }
    semaphore.wait()
    return try box.result.get()
  }

  func socketDidOpen(_ socket: any SocketConnection, subprotocol: String?) {
    start = .now
    sentAt = start
    socket.send(text: send)
  }

  func socketDidReceive(_ socket: any SocketConnection, _ messages: [SocketMessage]) {
    remaining -= messages.count
    if repeats {
      let now = ContinuousClock.now
      latencies.append((now - sentAt).microseconds)
      if remaining > 0 {
        sentAt = .now
        socket.send(text: send)
      }
    }
    guard remaining <= 0 else { return }
    seconds = (ContinuousClock.now - start).microseconds / 1e6
    socket.close(code: 1000, reason: "")
  }

  func socketDidDrain(_ socket: any SocketConnection) {}

  func socketDidClose(_ socket: any SocketConnection, _ close: SocketClose) {
    if let error = close.error {
      done(.failure(WorkFailure(message: error.message)))
    } else {
      done(.success(Outcome(seconds: seconds, latencies: latencies)))
    }
  }
}

/// Written by the main actor before the semaphore is signalled and read by the waiting thread after.
private final class OutcomeBox: @unchecked Sendable {
  var result: Result<SocketWork.Outcome, SocketWork.WorkFailure> = .failure(
    SocketWork.WorkFailure(message: "no result"))
  var work: SocketWork?
}

extension Duration {
  var microseconds: Double {
    Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12
  }
}
