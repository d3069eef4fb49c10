import BenchKit
import CBenchOrderedSet
import ZeroIVM
import ZeroProtocol

/// A std::set with the same keys as the rows.
private final class OrderedSet {
  let handle = bench_ordered_set_create()

  deinit { bench_ordered_set_destroy(handle) }
}

extension EngineBench {
  /// The rows of a table as an ordered set, against std::set and a sorted array with the same keys.
  func sets() throws {
    guard
      ["scan", "hit", "add+delete", "from sorted"].contains(where: { run.wants("btree.set \($0)") })
    else { return }
    for size in run.sizes() {
      let rows = Dataset(issues: size, withComments: false).issues
      let branch = Branch(schema: Dataset.schema)
      try branch.load("issue", rows)
      let keys = Self.keys(rows)
      let set = OrderedSet()
      bench_ordered_set_fill(set.handle, keys, 9, size)

      try run.compare(
        "btree.set scan", size: size, unit: .nanoseconds(per: size, "row"),
        ours: Contender.onProcessor("ours") {
          var count = 0
          try branch.forEachRow(of: "issue") { _ in
            count += 1
            return true
          }
          blackHole(count)
        },
        peers: [Contender.onProcessor("std::set") { blackHole(bench_ordered_set_scan(set.handle)) }]
      )

      var random = SplitMix(seed: 7)
      let probes = ContiguousArray((0..<10_000).map { _ in rows[random.below(size)] })
      let probeKeys = Self.keys(probes)
      let sorted = rows.map { $0 }
      try run.compare(
        "btree.set hit", size: size, unit: .nanoseconds(per: probes.count, "look-up"),
        ours: Contender.onProcessor("ours") {
          for row in probes { blackHole(try branch.row(withKeyOf: row)) }
        },
        peers: [
          Contender.onProcessor("std::set") {
            blackHole(bench_ordered_set_find(set.handle, probeKeys, 9, probes.count))
          },
          Contender.onProcessor("sorted array of rows") {
            for row in probes { blackHole(try Self.place(of: row, sorted)) }
          },
        ])

      let maker = RowMaker(issues: size)
      let news = ContiguousArray(
        (0..<10_000).map { _ in
          maker.changing(
            rows[random.below(size)], 0, .string("i0\(1_000_000 + random.below(9_000_000))x"))
        })
      let newKeys = Self.keys(news)
      try run.compare(
        "btree.set add+delete", size: size, unit: .nanoseconds(per: news.count, "pair"),
        ours: Contender.onProcessor("ours") {
          for row in news {
            try branch.push(.add(row))
            try branch.push(.remove(row))
          }
        },
        peers: [
          Contender.onProcessor("std::set") {
            bench_ordered_set_churn(set.handle, newKeys, 9, news.count)
          }
        ])

      try run.compare(
        "btree.set from sorted", size: size, unit: .nanoseconds(per: size, "row"),
        ours: Contender.onProcessor(
          "ours", setUp: { Branch(schema: Dataset.schema) }, { try $0.load("issue", rows) }),
        peers: [
          Contender.onProcessor(
            "std::set", setUp: { OrderedSet() },
            { bench_ordered_set_fill($0.handle, keys, 9, size) })
        ])
    }
  }

  func loading() throws {
    let names = ["source.load.push", "source.load.sorted", "index.build"]
    guard names.contains(where: { run.wants($0) }) else { return }
    var curves: [String: [(size: Int, seconds: Double)]] = [:]
    for size in run.sizes() {
      let rows = Dataset(issues: size, withComments: false).issues
      func note(_ name: String, _ seconds: Double?) {
        guard let seconds else { return }
        curves[name, default: []].append((size, seconds))
        recorded(
          name, size: size,
          name == "index.build" ? nil : Recorded.load[size].map { $0 * 1e3 / Double(size) },
          "µs/row", oursInSameUnit: seconds * 1e6 / Double(size))
      }
      note(
        names[0],
        try run.compare(
          names[0], size: size, unit: .microseconds(per: size, "row"),
          ours: Contender.onProcessor(
            "ours", setUp: { Branch(schema: Dataset.schema) },
            { branch in for row in rows { try branch.push(.add(row)) } })))
      note(
        names[1],
        try run.compare(
          names[1], size: size, unit: .microseconds(per: size, "row"),
          ours: Contender.onProcessor("ours, building rows") {
            let maker = RowMaker(issues: size)
            let rows = ContiguousArray((0..<size).map { maker.issue($0) })
            try Branch(schema: Dataset.schema).load("issue", rows)
          }))
      note(
        names[2],
        try run.compare(
          names[2], size: size, unit: .milliseconds,
          ours: Contender.onProcessor(
            "ours",
            setUp: { () throws -> Branch in
              let branch = Branch(schema: Dataset.schema)
              try branch.load("issue", rows)
              return branch
            },
            { blackHole(try $0.run(BenchQuery.orderLimit50.ast, Format())) }),
          peers: [
            Contender.onProcessor("sort of an Array of rows") {
              blackHole(try rows.sorted { try Self.isBefore($0, $1) })
            }
          ]))
    }
    for name in names { run.curve(name, curves[name] ?? []) }
  }

  // MARK: -

  private static func keys(_ rows: ContiguousArray<Row>) -> [CChar] {
    var keys: [CChar] = []
    for row in rows {
      guard case .string(let id) = row[0] else { continue }
      keys += id.utf8.prefix(9).map { CChar(bitPattern: $0) }
    }
    return keys
  }

  private static func place(of row: Row, _ rows: [Row]) throws -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if try Row.compare(rows[middle], 0, row, 0) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The order of the query with limit 50.
  private static func isBefore(_ a: Row, _ b: Row) throws -> Bool {
    for column in [6, 7] {
      let order = try Row.compare(b, column, a, column)
      if order != 0 { return order < 0 }
    }
    return try Row.compare(a, 0, b, 0) < 0
  }
}
