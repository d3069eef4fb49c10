import BenchKit
import ZeroIVM
import ZeroProtocol

extension EngineBench {
  func pushes() throws {
    guard run.wants("push.") else { return }
    for size in run.sizes().filter({ $0 <= 100_000 }) {
      let load = try PushLoad(size)
      for query in BenchQuery.all {
        for kind in PushLoad.Kind.allCases {
          let name = "push.\(query.name).\(kind.rawValue)"
          guard run.wants(name),
            !kind.isChild || query.name.hasPrefix("join") || query.name == "exists"
          else { continue }
          _ = try load.open(query)
          defer { load.close() }
          let count = min(1000, size / 2)
          var allocations = 0
          let seconds = try run.compare(
            name, size: size, unit: .microseconds(per: count, "push"),
            ours: Contender.onProcessor(
              "ours", setUp: { load.prepare(kind, count) },
              { changes in
                allocations = try Allocations.count {
                  for change in changes {
                    try load.branch.push(change)
                    load.branch.commit()
                  }
                }
              }))
          run.figure(name, size: size, Double(allocations) / Double(count), "allocations/push")
          recorded(
            name, size: size, Recorded.pushes[query.name]?[kind.rawValue]?[size], "pushes/s",
            oursInSameUnit: seconds.map { Double(count) / $0 }, isRate: true)
          _ = load.prepare(.editTitle, 1)
        }
      }
    }
  }

  func fullList() throws {
    guard run.wants("push.fullList") else { return }
    var points: [(size: Int, seconds: Double)] = []
    for size in run.sizes() {
      let load = try PushLoad(size)
      let view = try load.open(.plain)
      let count = 500
      // Somebody holds the last state while the next is made, as a user interface does.
      var shown = view.data
      let seconds = try run.compare(
        "push.fullList", size: size, unit: .microseconds(per: count, "push"),
        ours: Contender.onProcessor(
          "ours", setUp: { load.prepare(.add, count) },
          { changes in
            for change in changes {
              try load.branch.push(change)
              load.branch.commit()
              shown = view.data
            }
          }))
      blackHole(shown)
      guard let seconds else { continue }
      points.append((size, seconds / Double(count)))
      recorded(
        "push.fullList", size: size, Recorded.fullList[size], "µs/push",
        oursInSameUnit: seconds * 1e6 / Double(count))
    }
    run.curve("push.fullList", points)
  }

  func liveViews() throws {
    let name = "queries.live"
    guard run.wants(name) else { return }
    let load = try PushLoad(10_000)
    var views: [QueryView] = []
    let opening = try run.compare(
      "\(name) open", size: 1000, unit: .milliseconds,
      ours: Contender.onProcessor(
        "ours",
        setUp: {
          for view in views { view.destroy() }; views = []
        },
        { _ in
          for place in 0..<1000 {
            let query = BenchQuery.single(RowMaker.id("i", place * 10))
            views.append(try load.branch.materialize(query.ast, query.format))
          }
        }))
    recorded(
      "\(name) open", size: 1000, Recorded.openThousandViewsMilliseconds, "ms",
      oursInSameUnit: opening.map { $0 * 1e3 })
    let before = views.map(\.changeCount)
    let count = 500
    var pushed = 0
    let seconds = try run.compare(
      "\(name) edit", size: 1000, unit: .microseconds(per: count, "push"),
      ours: Contender.onProcessor(
        "ours", setUp: { load.prepare(.editTitle, count) },
        { changes in
          for change in changes {
            try load.branch.push(change)
            load.branch.commit()
          }
          pushed += changes.count
        }))
    recorded(
      "\(name) edit", size: 1000, Recorded.liveViewsEditsPerSecond, "pushes/s",
      oursInSameUnit: seconds.map { Double(count) / $0 }, isRate: true)
    let reached = zip(views, before).reduce(0) { $0 + $1.0.changeCount - $1.1 }
    run.figure(
      "\(name) woken", size: 1000, Double(reached) / Double(max(pushed, 1)), "views/push",
      note: "a tenth of the rows is in a view")
  }

  func forks() throws {
    guard run.wants("forks") else { return }
    for size in run.sizes().filter({ $0 <= 100_000 }) {
      let load = try PushLoad(size)
      _ = try load.open(.orderLimit50)
      let reference = Recorded.forks[size]
      let fork = try run.compare(
        "forks fork", size: size, unit: .microseconds(per: 100, "fork"),
        ours: Contender.onProcessor("ours") {
          for _ in 0..<100 { blackHole(try load.branch.fork()) }
        })
      recorded(
        "forks fork", size: size, reference.map { $0.fork * 1e3 }, "µs",
        oursInSameUnit: fork.map { $0 * 1e4 })
      let changes = load.prepare(.editTitle, 1000)
      let edits = try run.compare(
        "forks 1000 edits", size: size, unit: .milliseconds,
        ours: Contender.onProcessor(
          "ours", setUp: { try load.branch.fork() },
          { fork in for change in changes { try fork.push(change) } }))
      recorded(
        "forks 1000 edits", size: size, reference?.edits, "ms",
        oursInSameUnit: edits.map { $0 * 1e3 })
      let query = try run.compare(
        "forks first query", size: size, unit: .milliseconds,
        ours: Contender.onProcessor(
          "ours", setUp: { try load.branch.fork() },
          { blackHole(try $0.run(BenchQuery.orderLimit50.ast, Format())) }))
      recorded(
        "forks first query", size: size, reference?.query, "ms",
        oursInSameUnit: query.map { $0 * 1e3 })
    }
  }

  func memory() throws {
    guard run.wants("memory.row") else { return }
    for size in run.sizes() {
      let (branch, data) = try Allocations.retained { () throws -> Branch in
        let branch = Branch(schema: Dataset.schema)
        try branch.load("issue", Dataset(issues: size, withComments: false).issues)
        return branch
      }
      let (view, withView) = try Allocations.retained {
        try branch.materialize(BenchQuery.plain.ast, Format())
      }
      let (_, withIndex) = try Allocations.retained {
        try branch.run(BenchQuery.orderLimit50.ast, Format())
      }
      blackHole(view)
      let parts = [("data", data), ("one view", withView), ("one more order", withIndex)]
      for (name, bytes) in parts {
        run.figure("memory.row \(name)", size: size, Double(bytes) / Double(size), "B/row")
      }
      run.figure(
        "memory.row data and view", size: size, contender: "reference, recorded",
        Recorded.bytesPerRow + Recorded.bytesPerRowOfView, "B/row",
        note:
          "ours is \((Double(data + withView) / Double(size) / (Recorded.bytesPerRow + Recorded.bytesPerRowOfView) * 100).rounded()) % of it"
      )
    }
  }
}
