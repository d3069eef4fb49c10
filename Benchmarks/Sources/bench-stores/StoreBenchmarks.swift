import BenchKit
import Foundation
import ZeroProtocol

/// The store benchmarks of all backends.
final class StoreBenchmarks {
  private let run: BenchRun
  private let folders = Folders()

  init(_ run: BenchRun) { self.run = run }

  func execute() throws {
    defer { folders.removeAll() }
    for backend in Backend.allCases {
      for size in run.sizes([10_000, 100_000, 1_000_000]) {
        let work = Workload(count: size)
        try bulk(backend, work)
        try reads(backend, work)
        try deletes(backend, work)
      }
      try transactions(backend)
      try pending(backend)
      if backend != .memory { try sizeAndOpen(backend) }
    }
  }

  // MARK: -

  private func name(_ what: String, _ backend: Backend) -> String { "store.\(what).\(backend)" }

  /// A contender that works on a new, empty store each round.
  private func onFresh(
    _ label: String, _ make: @escaping (String) throws -> any Subject,
    fill: ((any Subject) throws -> Void)? = nil, _ body: @escaping (any Subject) throws -> Void
  ) -> Contender {
    Contender(
      label,
      measured: { [folders] in
        let folder = folders.make()
        let subject = try make(folder)
        defer {
          subject.close()
          folders.remove(folder)
        }
        try fill?(subject)
        let start = ContinuousClock.now
        try body(subject)
        return (ContinuousClock.now - start).seconds
      })
  }

  /// A contender measured by the processor time of this thread: reading waits for nothing but the
  /// processor, which the machine may share.
  private func onProcessor(_ label: String, _ body: @escaping () throws -> Void) -> Contender {
    Contender(
      label,
      measured: {
        let start = Self.processorSeconds()
        try body()
        return Self.processorSeconds() - start
      })
  }

  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func bulk(_ backend: Backend, _ work: Workload) throws {
    try run.compare(
      name("bulk", backend), size: work.count, unit: .perSecond(work.count, "rows"),
      ours: onFresh("ours", { try backend.ours($0) }) { try $0.bulk(work, 0..<work.count) },
      peers: backend.hasPeer
        ? [onFresh("C", { try backend.peer($0) }) { try $0.bulk(work, 0..<work.count) }] : [])
  }

  private func reads(_ backend: Backend, _ work: Workload) throws {
    guard run.wants(name("scan", backend)) || run.wants(name("get", backend)) else { return }
    let ours = try backend.ours(folders.make())
    defer { ours.close() }
    try ours.bulk(work, 0..<work.count)
    let peer = backend.hasPeer ? try backend.peer(folders.make()) : nil
    defer { peer?.close() }
    try peer?.bulk(work, 0..<work.count)
    if let peer {
      let sums = [try ours.scan(), try peer.scan()]
      precondition(sums[0] == sums[1], "ours and C read different rows")
    }
    try run.compare(
      name("scan", backend), size: work.count, unit: .perSecond(work.count, "rows"),
      ours: onProcessor("ours") { blackHole(try ours.scan()) },
      peers: peer.map { peer in [onProcessor("C") { blackHole(try peer.scan()) }] } ?? [],
      note: "processor time")
    let some = try Allocations.count { blackHole(try ours.scan()) }
    run.figure(
      name("scan", backend), size: work.count, Double(some) / Double(work.count), "allocations/row",
      note: "\(some) per scan")
    try run.compare(
      name("get", backend), size: work.count, unit: .perSecond(work.count, "gets"),
      ours: onProcessor("ours") { blackHole(try ours.get(work)) },
      peers: peer.map { peer in [onProcessor("C") { blackHole(try peer.get(work)) }] } ?? [],
      note: "processor time")
  }

  private func deletes(_ backend: Backend, _ work: Workload) throws {
    let prefix = Array("row/".utf8)
    try run.compare(
      name("delete.prefix", backend), size: work.count, unit: .perSecond(work.count, "rows"),
      ours: onFresh("ours", { try backend.ours($0) }, fill: { try $0.bulk(work, 0..<work.count) }) {
        try $0.deletePrefix(prefix)
      },
      peers: backend.hasPeer
        ? [
          onFresh("C", { try backend.peer($0) }, fill: { try $0.bulk(work, 0..<work.count) }) {
            try $0.deletePrefix(prefix)
          }
        ] : [])
  }

  /// One put per transaction, at each level of synchronization.
  private func transactions(_ backend: Backend) throws {
    for level in backend.levels.isEmpty ? [Level.ordered] : backend.levels {
      let what = name("txn1", backend) + (backend.levels.isEmpty ? "" : ".\(level)")
      guard run.wants(what) else { continue }
      let count = level == .full ? 200 : 1000
      let work = Workload(count: 10_000)
      let ours = try backend.ours(folders.make(), level: level)
      defer { ours.close() }
      let peer = backend.hasPeer ? try backend.peer(folders.make(), level: level) : nil
      defer { peer?.close() }
      var times: [Double] = []
      // The median of the round, so that a checkpoint or another process does not decide.
      func round(_ subject: any Subject, keeps: Bool) throws -> Double {
        let round = try work.order.prefix(count).map { number in
          let start = ContinuousClock.now
          try subject.bulk(work, Int(number)..<Int(number) + 1)
          return (ContinuousClock.now - start).seconds
        }
        if keeps { times += round }
        return round.sorted()[count / 2] * Double(count)
      }
      try run.compare(
        what, unit: .microseconds(per: count, "txn"),
        ours: Contender("ours", measured: { try round(ours, keeps: true) }),
        peers: peer.map { peer in [Contender("C", measured: { try round(peer, keeps: false) })] }
          ?? [])
      times.sort()
      run.figure(what, contender: "ours p50", times[times.count / 2] * 1e6, "µs")
      run.figure(what, contender: "ours p99", times[times.count * 99 / 100] * 1e6, "µs")
    }
  }

  /// The first pending mutation of a queue against the 10,001st.
  private func pending(_ backend: Backend) throws {
    let work = Workload(count: 12_000)
    let what = name("pending", backend)
    guard run.wants(what) else { return }
    func round(after waiting: Int) -> Contender {
      Contender(
        waiting == 0 ? "queue of 0" : "queue of \(waiting)",
        measured: { [folders] in
          let folder = folders.make()
          let subject = try backend.ours(folder)
          defer {
            subject.close()
            folders.remove(folder)
          }
          if waiting > 0 { try subject.bulk(work, 0..<waiting) }
          let times = try (waiting..<waiting + 500).map { number in
            let start = ContinuousClock.now
            try subject.bulk(work, number..<number + 1)
            return (ContinuousClock.now - start).seconds
          }
          return times.sorted()[250] * 500
        })
    }
    try run.compare(
      what, size: 10_000, unit: .microseconds(per: 500, "mutation"), ours: round(after: 10_000),
      peers: [round(after: 0)])
  }

  private func sizeAndOpen(_ backend: Backend) throws {
    let work = Workload(count: 100_000)
    if run.wants(name("size", backend)) {
      for (label, make) in makers(backend) {
        let folder = folders.make()
        var subject = try make(folder)
        try subject.bulk(work, 0..<work.count)
        subject.close()
        let before = folders.bytes(folder)
        for _ in 0..<10 {
          subject = try make(folder)
          try subject.deletePrefix(Array("row/0000000000".utf8))
          try subject.bulk(work, 0..<work.count)
          subject.close()
        }
        let after = folders.bytes(folder)
        run.figure(
          name("size", backend), size: work.count, contender: label,
          Double(before) / Double(work.count), "B/row",
          note: "\(Int(Double(after) / Double(before) * 100)) % of that after 10 × churn")
        folders.remove(folder)
      }
    }
    guard run.wants(name("open", backend)) else { return }
    let folder = folders.make()
    let filled = try backend.ours(folder)
    try filled.bulk(work, 0..<work.count)
    filled.close()
    let peerFolder = folders.make()
    if backend.hasPeer {
      let peer = try backend.peer(peerFolder)
      try peer.bulk(work, 0..<work.count)
      peer.close()
    }
    try run.compare(
      name("open", backend), size: work.count, unit: .milliseconds,
      ours: Contender("ours") { try backend.ours(folder).close() },
      peers: backend.hasPeer ? [Contender("C") { try backend.peer(peerFolder).close() }] : [],
      note: "and close")
  }

  private func makers(_ backend: Backend) -> [(String, (String) throws -> any Subject)] {
    let ours: (String, (String) throws -> any Subject) = ("ours", { try backend.ours($0) })
    return backend.hasPeer ? [ours, ("C", { try backend.peer($0) })] : [ours]
  }
}
