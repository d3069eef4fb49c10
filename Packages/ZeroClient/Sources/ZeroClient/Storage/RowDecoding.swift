import Dispatch
import Synchronization
import ZeroProtocol

/// Decodes the rows of a table while they are read from a store.
///
/// A queue decodes batches of records while the reader goes on. When the queue is behind, the reader
/// decodes a batch itself, so that neither waits for the other before the end. Who decodes which batch
/// makes no difference to what comes out.
final class RowDecoding: Sendable {
  /// What became of a batch.
  struct Decoded: Sendable {
    var rows: ContiguousArray<Row> = []
    var unreadableKeys: [[UInt8]] = []
  }

  private struct State {
    /// By batch, in the order of adding.
    var decoded: [Decoded] = []
    /// Batches that the queue has yet to decode.
    var queued = 0
  }

  private let table: TableDescriptor
  private let queue = DispatchQueue(label: "zero.rows", qos: .userInitiated)
  private let state = Mutex(State())

  init(_ table: TableDescriptor) { self.table = table }

  /// Has a batch decoded.
  func add(_ batch: RecordBatch) {
    let (place, isBehind) = state.withLock { state in
      state.decoded.append(Decoded())
      let isBehind = state.queued >= Self.queueLimit
      if !isBehind { state.queued += 1 }
      return (state.decoded.count - 1, isBehind)
    }
    if isBehind { return decode(batch, place) }
    queue.async { [self] in
      decode(batch, place)
      state.withLock { $0.queued -= 1 }
    }
  }

  /// Decodes the last batch and waits for all others.
  func finish(with batch: RecordBatch) -> [Decoded] {
    let last = decoded(batch)
    queue.sync {}
    return state.withLock { $0.decoded } + [last]
  }

  // MARK: -

  /// Enough that the queue does not run dry while the reader decodes a batch.
  private static let queueLimit = 3

  private func decode(_ batch: RecordBatch, _ place: Int) {
    let decoded = decoded(batch)
    state.withLock { $0.decoded[place] = decoded }
  }

  private func decoded(_ batch: RecordBatch) -> Decoded {
    var decoded = Decoded()
    decoded.rows.reserveCapacity(batch.count)
    batch.forEach { key, value in
      if let row = StoredRow.decode(value, table.layout), row.hasKey(of: table) {
        decoded.rows.append(row)
      } else {
        decoded.unreadableKeys.append(Array(key))
      }
    }
    return decoded
  }
}
