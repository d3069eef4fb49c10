import ZeroProtocol

/// Who waits for the server's word on which mutation.
///
/// A mutation is tracked from the call on; it gets its mutation ID before it runs. One that fails leaves
/// its ID to the next, and as in the reference the ID counts as given until then. Mutations of an
/// earlier process are not tracked: nobody waits for them.
@MainActor final class MutationTracker {
  /// Numbers the tracked calls of a process, from 1.
  struct EphemeralID: Hashable, Comparable {
    fileprivate let number: UInt64
    static func < (a: Self, b: Self) -> Bool { a.number < b.number }
  }

  /// Runs when the server is known to have processed every mutation that was given an ID.
  var onAllApplied: @MainActor () -> Void = {}

  private struct Entry {
    var mutationID: Int?
    let settle: @MainActor (MutationOutcome) -> Void
  }

  private static var lastNumber: UInt64 = 0

  private var entries: [EphemeralID: Entry] = [:]
  /// The tracked calls in their order; those without an entry are settled and skipped.
  private var order = FIFO<EphemeralID>()
  private var oldest: EphemeralID?
  private var byMutationID: [Int: EphemeralID] = [:]
  private var largest = 0
  private var current = 0

  /// Number of calls that wait.
  var count: Int { entries.count }

  /// Starts to track a call. `settle` is called once, with the server's outcome.
  func track(_ settle: @escaping @MainActor (MutationOutcome) -> Void) -> EphemeralID {
    Self.lastNumber += 1
    let id = EphemeralID(number: Self.lastNumber)
    entries[id] = Entry(mutationID: nil, settle: settle)
    order.append(id)
    return id
  }

  /// The call now has a mutation ID. Does nothing when it was settled meanwhile.
  func assign(_ id: EphemeralID, mutationID: Int) {
    guard entries[id] != nil else { return }
    entries[id]?.mutationID = mutationID
    byMutationID[mutationID] = id
    largest = max(largest, mutationID)
  }

  /// Settles one call and forgets it.
  func settle(_ id: EphemeralID, _ outcome: MutationOutcome) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    if let mutationID = entry.mutationID, byMutationID[mutationID] == id {
      byMutationID[mutationID] = nil
    }
    entry.settle(outcome)
  }

  /// Settles the call that has this mutation ID, if it still waits.
  func settle(mutationID: Int, _ outcome: MutationOutcome) {
    if let id = byMutationID[mutationID] { settle(id, outcome) }
  }

  /// Settles everything that waits, in order; the mutations themselves stay pending.
  func rejectAll(_ error: ZeroError) {
    guard !entries.isEmpty else { return }
    for id in entries.keys.sorted() { settle(id, .zeroError(error)) }
    largest = current
    onAllApplied()
  }

  /// The server has processed this client's mutations up to `lastMutationID`.
  /// - Returns: false if that is lower than what was known, which is the server's mistake.
  func advance(to lastMutationID: Int) -> Bool {
    if lastMutationID < current { return false }
    if lastMutationID == current { return true }
    current = lastMutationID
    while let id = nextOldest() {
      guard let mutationID = entries[id]?.mutationID, mutationID <= lastMutationID else { break }
      settle(id, .success)
    }
    if lastMutationID >= largest { onAllApplied() }
    return true
  }

  // MARK: -

  private func nextOldest() -> EphemeralID? {
    while let id = oldest ?? order.popFirst() {
      if entries[id] != nil {
        oldest = id
        return id
      }
      oldest = nil
    }
    return nil
  }
}
