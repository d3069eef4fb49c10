/// What the reference client needed for the same workloads with 100,000 issues (50,000 for `wire`), as
/// recorded in Node on a machine of the same kind: medians of milliseconds, operations per second, bytes
/// per row or megabytes, by the names of our figures. Under the names that only this suite has are the
/// figures of the nearest workload, in microseconds where ours are.
enum Reference {
  static let figures: [String: Double] = [
    "wire.parseParts": 90.21, "wire.parseWhole": 97.45, "wire.validateParts": 309.2,
    "wire.receiveText": 361.5, "wire.receiveBinary": 404, "initial.10": 10900, "fullSync.10": 17660,
    "openViews.10": 106, "pokeEdits1.10.p50": 4.892, "pokeEdits1.10.p90": 7.723,
    "pokeEdits1000.10.p50": 268.9, "pokeEdits1000.10.p90": 339.7, "rebase1.10.p50": 144.5,
    "rebase1.10.p90": 159.6, "rebase1000.10.p50": 434.8, "rebase1000.10.p90": 1580,
    "mutateToListener.10.p50": 1.978, "mutateToListener.10.p90": 2.563,
    "mutateToListener.10.p99": 4.6, "mutateToClientPromise.10.p50": 2.097,
    "mutateToClientPromise.10.p90": 2.75, "mutateToClientPromise.10.p99": 5.149,
    "mutateToServerPromise.10.p50": 20.17, "mutateToServerPromise.10.p90": 21.85,
    "mutateToServerPromise.10.p99": 23.79, "sustained.10": 252, "sustained.settled.10": 252,
    "burst100.10": 162.8, "offline.make.10": 3587, "offline.firstPush.10": 2.911,
    "offline.lastPush.10": 20.66, "offline.settled.10": 455.7, "initial.100": 66180,
    "fullSync.100": 18040, "openViews.100": 5224, "pokeEdits1.100.p50": 7.168,
    "pokeEdits1.100.p90": 9.278, "pokeEdits1000.100.p50": 1324, "pokeEdits1000.100.p90": 1586,
    "rebase1.100.p50": 146.1, "rebase1.100.p90": 171, "rebase1000.100.p50": 1709,
    "rebase1000.100.p90": 2807, "mutateToListener.100.p50": 3.325,
    "mutateToListener.100.p90": 4.207, "mutateToListener.100.p99": 8.502,
    "mutateToClientPromise.100.p50": 3.436, "mutateToClientPromise.100.p90": 4.342,
    "mutateToClientPromise.100.p99": 8.627, "mutateToServerPromise.100.p50": 20.18,
    "mutateToServerPromise.100.p90": 21.76, "mutateToServerPromise.100.p99": 23.68,
    "sustained.100": 112, "sustained.settled.100": 112, "burst100.100": 414.4,
    "offline.make.100": 7278, "offline.firstPush.100": 4.548, "offline.lastPush.100": 22.15,
    "offline.settled.100": 667.7, "materialize.list.first": 665.4, "materialize.list.p50": 0.457,
    "materialize.list.p90": 0.6402, "materialize.list.p99": 2.529, "materialize.page.first": 2939,
    "materialize.page.p50": 1.63, "materialize.page.p90": 2.797, "materialize.page.p99": 7.415,
    "materialize.withComments.first": 652.2, "materialize.withComments.p50": 25.75,
    "materialize.withComments.p90": 34.07, "materialize.withComments.p99": 41.8,
    "materialize.labeled.first": 166.9, "materialize.labeled.p50": 18.21,
    "materialize.labeled.p90": 22.24, "materialize.labeled.p99": 27.77,
    "materialize.byID.first": 1.37, "materialize.byID.p50": 0.2294, "materialize.byID.p90": 7.812,
    "materialize.byID.p99": 11.77, "memory.objects": 525, "memory.mem_none": 729,
    "memory.mem_plain": 931, "memory.mem_list": 744, "memory.file_none": 717,
    "memory.file_plain": 920, "start.mem.first": 2555, "start.mem.list": 2163,
    "start.mem.listAndAll": 4146, "start.fileOpen": 2760, "start.fileOpen.cpu": 2666,
    "start.fileOpen.rss": 296.6, "start.fileWrite.commit": 1512, "start.fileWrite.disk": 46.6,
    "rebase": 1445, "mutate.local": 1978, "pokeToView.p50": 4892, "pokeToView.p99": 11340,
    "coldStart.first": 2760, "query.churn": 229, "throughput.e2e": 252, "throughput.e2e.cpu": 3.687,
  ]

  /// Milliseconds of `wire.parseParts` at best, by which machines are compared.
  static let bestParseParts = 70.4

  /// The recorded figure of a workload of that size; nil if there is none.
  static func figure(_ name: String, size: Int) -> Double? {
    guard size == (name.hasPrefix("wire.") ? 50_000 : 100_000) else { return nil }
    return figures[name]
  }
}
