@_spi(Engine) import ZeroIVM
import ZeroProtocol

/// Queries over random tables and what happens to the tables.
struct DifferentialCase: Sendable {
  struct OpenQuery: Sendable {
    var ast: AST
    var format: Format
  }

  enum Step: Sendable {
    case push([SourceChange])
    /// Changes on a fork, which the open views must not see.
    case fork([SourceChange])
    /// Opens the queries again.
    case reopen
  }

  var schema: ZeroSchema
  var rows: [String: [Row]]
  var queries: [OpenQuery]
  var steps: [Step]

  /// Runs the case and says what went wrong; nil if nothing did.
  func failure() -> String? {
    do {
      var run = try Run(self)
      if let failure = try run.check("after opening") { return failure }
      for (number, step) in steps.enumerated() {
        if let failure = try run.take(step, "after step \(number)") { return failure }
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The state of a run: the branch, its views, and the rows as plain arrays.
  private struct Run {
    let test: DifferentialCase
    let branch: Branch
    var views: [QueryView] = []
    var rows: [String: [Row]]

    init(_ test: DifferentialCase) throws {
      self.test = test
      rows = test.rows
      branch = Branch(schema: test.schema, allowsNotExists: true)
      for (table, rows) in test.rows { try branch.load(table, ContiguousArray(rows)) }
      try open()
    }

    mutating func open() throws {
      views = try test.queries.map { try branch.materialize($0.ast, $0.format) }
    }

    mutating func take(_ step: Step, _ place: String) throws -> String? {
      switch step {
      case .reopen:
        for view in views { view.destroy() }
        try open()
      case .push(let changes):
        for change in changes {
          guard DifferentialCase.apply(change, &rows) else { continue }
          try branch.push(change)
          if let broken = branch.brokenInvariant() { return "\(place): \(broken)" }
          if let failure = try check(place) { return failure }
        }
        branch.commit()
      case .fork(let changes):
        let fork = try branch.fork()
        var forked = rows
        for change in changes where DifferentialCase.apply(change, &forked) {
          try fork.push(change)
        }
        if let broken = fork.brokenInvariant() { return "\(place), fork: \(broken)" }
        let naive = NaiveEvaluator(schema: test.schema, rows: forked)
        for query in test.queries {
          let actual = Shown.text(try fork.run(query.ast, query.format))
          let expected = naive.text(query.ast, query.format)
          if actual != expected { return "\(place), fork:\n\(expected)\nbut found\n\(actual)" }
        }
      }
      return try check(place)
    }

    func check(_ place: String) throws -> String? {
      let naive = NaiveEvaluator(schema: test.schema, rows: rows)
      for (view, query) in zip(views, test.queries) {
        let expected = naive.text(query.ast, query.format)
        let shown = Shown.text(view.data)
        if shown != expected {
          return "\(place): expected\n\(expected)\nbut the view has\n\(shown)"
        }
        let fresh = Shown.text(try branch.run(query.ast, query.format))
        if fresh != expected {
          return "\(place): expected\n\(expected)\nbut a new view has\n\(fresh)"
        }
      }
      return nil
    }
  }

  /// Applies a change to plain arrays. Returns false if it does not fit, as after shrinking.
  static func apply(_ change: SourceChange, _ rows: inout [String: [Row]]) -> Bool {
    func place(_ row: Row) -> Int? {
      rows[row.layout.table]?.firstIndex { stored in
        row.layout.primaryKey.allSatisfy { stored[$0] == row[$0] }
      }
    }
    switch change {
    case .add(let row):
      guard place(row) == nil else { return false }
      rows[row.layout.table, default: []].append(row)
    case .remove(let row):
      guard let place = place(row) else { return false }
      rows[row.layout.table]?.remove(at: place)
    case .edit(let old, let new):
      guard let at = place(old) else { return false }
      if let taken = place(new), taken != at { return false }
      rows[new.layout.table]?[at] = new
    }
    return true
  }
}

extension DifferentialCase: CustomStringConvertible {
  var description: String {
    func text(_ change: SourceChange) -> String {
      switch change {
      case .add(let row): "add \(row.layout.table) \(Shown.contents(row))"
      case .remove(let row): "remove \(row.layout.table) \(Shown.contents(row))"
      case .edit(let old, let new):
        "edit \(new.layout.table) \(Shown.contents(old)) to \(Shown.contents(new))"
      }
    }
    var lines = queries.map { "query \(String(decoding: $0.ast.jsonText, as: UTF8.self))" }
    for table in schema.tables {
      let columns = table.columns.map(\.name).joined(separator: ",")
      lines.append("\(table.name)(\(columns)), key \(table.primaryKey.joined(separator: ","))")
      lines += (rows[table.name] ?? []).map { "  \(Shown.contents($0))" }
    }
    for step in steps {
      switch step {
      case .push(let changes): lines += changes.map { text($0) } + ["commit"]
      case .fork(let changes): lines += ["fork"] + changes.map { "  " + text($0) }
      case .reopen: lines.append("reopen")
      }
    }
    return lines.joined(separator: "\n")
  }
}
