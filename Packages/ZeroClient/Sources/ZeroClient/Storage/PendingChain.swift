@_spi(Engine) import ZeroProtocol

/// The pending mutations of a client group, made a whole chain again where records are unreadable.
///
/// The server takes a client's mutations in the order of their IDs and without gaps. So an unreadable
/// one in the middle is replaced by one with its ID and a name that no mutator has: a server that has
/// processed the original passes over it, any other refuses it, and both go on with those behind it.
struct PendingChain {
  /// What is pending, in chain order.
  private(set) var mutations: [PendingMutation] = []
  /// Those among them that stand in for unreadable ones.
  private(set) var standIns: [PendingMutation] = []
  /// What can never be sent: for the list of refused mutations.
  private(set) var refused: [RefusedRecord] = []
  /// Records to remove, by sequence.
  private(set) var removed: [UInt64] = []
  /// Records that are unreadable, missing or of no use, by sequence.
  private(set) var damaged: [UInt64] = []

  /// The name of a mutation that stands in for an unreadable one.
  static let standInName = "zero.unreadable"
  /// A wider gap is not the trace of lost records but of a wrong number.
  private static let widestGap = 1000

  private let lastMutationIDs: [UTF8Key: Int]
  private let unknown: Set<UTF8Key>
  private var unreadable: [UInt64: [UInt8]]
  private var taken: Set<UInt64>
  /// By client, its mutation that was taken in last.
  private var last: [UTF8Key: (id: Int, sequence: UInt64)] = [:]

  /// - Parameters:
  ///   - readable: in ascending order of their sequence.
  ///   - unreadable: the bytes of the other records, by sequence.
  ///   - lastMutationIDs: by client, the last of its mutations that the server has processed.
  ///   - unknown: the clients of which that is not known.
  init(
    _ readable: [PendingMutation], unreadable: [UInt64: [UInt8]],
    after lastMutationIDs: [UTF8Key: Int], unknown: Set<UTF8Key>
  ) {
    self.lastMutationIDs = lastMutationIDs
    self.unknown = unknown
    self.unreadable = unreadable
    taken = Set(readable.map(\.sequence))
    for mutation in readable { add(mutation) }
    mutations.sort { $0.sequence < $1.sequence }
    for (sequence, bytes) in self.unreadable.sorted(by: { $0.key < $1.key }) {
      removed.append(sequence)
      refuse(bytes, sequence, clientID: "", id: 0)
    }
  }

  /// By client, the ID before its first pending mutation.
  var idsBeforeFirst: [UTF8Key: Int] {
    Dictionary(mutations.map { (UTF8Key($0.clientID), $0.id - 1) }, uniquingKeysWith: min)
  }

  // MARK: -

  private mutating func add(_ mutation: PendingMutation) {
    let client = UTF8Key(mutation.clientID)
    let after = last[client]
    var expected = 1 + (after?.id ?? lastMutationIDs[client] ?? 0)
    if after == nil, unknown.contains(client) {
      // Each of the unreadable records before it may have been this client's.
      let missing = unreadable.keys.count { $0 < mutation.sequence }
      expected = max(1, mutation.id - missing)
    }
    if mutation.id < expected {
      removed.append(mutation.sequence)
      if after != nil { refuse(mutation) }
      return
    }
    guard mutation.id - expected <= Self.widestGap,
      let places = places(mutation.id - expected, after?.sequence ?? 0, mutation.sequence)
    else {
      removed.append(mutation.sequence)
      return refuse(mutation)
    }
    for (id, sequence) in zip(expected..., places) { standIn(mutation, id, sequence) }
    last[client] = (mutation.id, mutation.sequence)
    mutations.append(mutation)
  }

  /// Places in the chain for what is missing between two mutations, if possible those of unreadable
  /// records; nil if there are not enough.
  private mutating func places(_ count: Int, _ start: UInt64, _ end: UInt64) -> [UInt64]? {
    var places = Array(unreadable.keys.filter { $0 > start && $0 < end }.sorted().suffix(count))
    var next = end
    while places.count < count {
      guard next > start + 1 else { return nil }
      next -= 1
      if !taken.contains(next), !places.contains(next) { places.append(next) }
    }
    taken.formUnion(places)
    return places.sorted()
  }

  private mutating func standIn(_ next: PendingMutation, _ id: Int, _ sequence: UInt64) {
    let mutation = PendingMutation(
      sequence: sequence, clientID: next.clientID, id: id, name: Self.standInName, args: .null,
      timestamp: next.timestamp)
    mutations.append(mutation)
    standIns.append(mutation)
    refuse(
      unreadable.removeValue(forKey: sequence) ?? [], sequence, clientID: next.clientID, id: id)
  }

  private mutating func refuse(_ mutation: PendingMutation) {
    damaged.append(mutation.sequence)
    refused.append(
      RefusedRecord(
        sequence: 0, clientID: mutation.clientID, id: mutation.id, name: mutation.name,
        args: mutation.args, timestamp: mutation.timestamp,
        kind: RefusedMutation.Reason.storageDamaged.rawValue,
        message: "mutations before this one are missing in the store, so that it cannot be sent "
          + "any more; the server may have taken it before", details: nil))
  }

  private mutating func refuse(
    _ bytes: [UInt8], _ sequence: UInt64, clientID: String, id: Int
  ) {
    damaged.append(sequence)
    refused.append(RefusedRecord(unreadable: bytes, sequence: 0, clientID: clientID, id: id))
  }
}

extension RefusedRecord {
  /// What is left of an unreadable mutation: its bytes, for whoever can make something of them.
  init(unreadable bytes: [UInt8], sequence: UInt64, clientID: String = "", id: Int = 0) {
    self.init(
      sequence: sequence, clientID: clientID, id: id, name: "", args: .null, timestamp: 0,
      kind: RefusedMutation.Reason.storageDamaged.rawValue,
      message: "the record of a mutation is unreadable; the server may have taken it before",
      details: .object(["record": .string(Base64.encode(bytes))]))
  }
}
