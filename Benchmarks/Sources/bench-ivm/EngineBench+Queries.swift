import BenchKit
import ZeroIVM
import ZeroProtocol

extension EngineBench {
  /// Wide and deep results: from the rows, and one comment more in them.
  func trees() throws {
    guard run.wants("hydrate.tree") || run.wants("push.tree") else { return }
    let data = TreeDataset()
    let branch = try data.branch()
    let queries = [
      ("issues", TreeDataset.issues), ("comments", TreeDataset.withComments),
      ("emoji", TreeDataset.withEmoji), ("everything", TreeDataset.everything),
      ("everything, limit 50", TreeDataset.everything.limit(50)),
    ]
    for (name, query) in queries {
      let seconds = try run.compare(
        "hydrate.tree \(name)", size: TreeDataset.issueCount, unit: .microseconds(per: 10, "view"),
        ours: Contender.onProcessor("ours") {
          for _ in 0..<10 { blackHole(try branch.materialize(query.ast, query.format).data) }
        })
      recorded(
        "hydrate.tree \(name)", size: TreeDataset.issueCount, Recorded.treeMilliseconds[name], "ms",
        oursInSameUnit: seconds.map { $0 * 1e2 })
      run.figure(
        "hydrate.tree \(name)", size: TreeDataset.issueCount,
        Double(Self.entryCount(try branch.run(query.ast, query.format))), "entries")
    }
    let view = try branch.materialize(TreeDataset.everything.ast, TreeDataset.everything.format)
    let comments = (0..<1000).map { data.newComment($0) }
    let seconds = try run.compare(
      "push.tree", size: TreeDataset.issueCount, unit: .microseconds(per: comments.count, "push"),
      ours: Contender.onProcessor(
        "ours", setUp: { for comment in comments { try? branch.push(.remove(comment)) } },
        { _ in
          for comment in comments {
            try branch.push(.add(comment))
            branch.commit()
          }
        }))
    blackHole(view)
    recorded(
      "push.tree", size: TreeDataset.issueCount, Recorded.treePushMicroseconds, "µs",
      oursInSameUnit: seconds.map { $0 * 1e3 })
  }

  /// 100 users with three queries each over the same rows, all of which every write reaches, and
  /// 100 views that none reaches.
  func tenants() throws {
    guard run.wants("queries.100") else { return }
    let data = TenantDataset()
    let branch = try data.branch()
    var views: [QueryView] = []
    for query in Array(repeating: TenantDataset.queries, count: 100).joined() {
      let view = try branch.materialize(query.ast, query.format)
      try view.addListener { _, _, _ in }
      views.append(view)
    }
    let idle = try (0..<100).map { _ in
      try branch.materialize(TenantDataset.untouched.ast, TenantDataset.untouched.format)
    }
    let before = views.map(\.changeCount)
    let idleBefore = idle.map(\.changeCount)
    let count = 20
    try run.compare(
      "queries.100", size: views.count, unit: .microseconds(per: count, "write"),
      ours: Contender.onProcessor(
        "ours", setUp: { (0..<count).map { _ in data.nextWrite() } },
        { writes in
          for write in writes {
            for change in write { try branch.push(change) }
            branch.commit()
          }
        }))
    let woken = zip(views, before).filter { $0.changeCount > $1 }.count
    let wrong = zip(idle, idleBefore).filter { $0.changeCount != $1 }.count
    run.figure("queries.100 woken", size: views.count, Double(woken), "views")
    run.figure("queries.100 untouched, woken", size: idle.count, Double(wrong), "views")
  }

  /// What stands in the place of planning. The engine chooses no join order: it builds the operators as
  /// the query says. This opens and drops views over tables without rows.
  func building() throws {
    guard run.wants("planner.cost") else { return }
    let branch = Branch(schema: CatalogQueries.schema)
    for (name, query) in CatalogQueries.all {
      try run.compare(
        "planner.cost \(name)", unit: .microseconds(per: 100, "pipeline"),
        ours: Contender.onProcessor("ours, building") {
          for _ in 0..<100 { try branch.materialize(query.ast, query.format).destroy() }
        })
    }
  }

  // MARK: -

  /// How many entries a result has on all its levels.
  private static func entryCount(_ data: ViewData) -> Int {
    data.entries.reduce(0) { count, entry in
      let slots = entry.shape?.relationships.indices ?? 0..<0
      return slots.reduce(count + 1) { $0 + (entry.related($1).map(entryCount) ?? 0) }
    }
  }
}
