import ZeroIVM
import ZeroProtocol

extension DifferentialCase {
  /// The smallest failing case that can be reached by leaving things out one at a time.
  func shrunk() -> DifferentialCase {
    var smallest = self
    var isShrinking = true
    while isShrinking {
      isShrinking = false
      for candidate in smallest.smaller where candidate.failure() != nil {
        smallest = candidate
        isShrinking = true
        break
      }
    }
    return smallest
  }

  // MARK: -

  private var smaller: [DifferentialCase] {
    var candidates: [DifferentialCase] = []
    func add(_ change: (inout DifferentialCase) -> Void) {
      var copy = self
      change(&copy)
      candidates.append(copy)
    }
    if queries.count > 1 { for place in queries.indices { add { $0.queries.remove(at: place) } } }
    for place in steps.indices.reversed() { add { $0.steps.remove(at: place) } }
    for (place, step) in steps.enumerated() {
      guard case .push(let changes) = step, changes.count > 1 else { continue }
      for change in changes.indices {
        add {
          var rest = changes
          rest.remove(at: change)
          $0.steps[place] = .push(rest)
        }
      }
    }
    for (table, list) in rows {
      for place in list.indices { add { $0.rows[table]?.remove(at: place) } }
    }
    for (place, query) in queries.enumerated() {
      for ast in query.ast.smaller { add { $0.queries[place].ast = ast } }
    }
    return candidates
  }
}

extension AST {
  fileprivate var smaller: [AST] {
    var candidates: [AST] = []
    func add(_ change: (inout AST) -> Void) {
      var copy = self
      change(&copy)
      candidates.append(copy)
    }
    if limit != nil { add { $0.limit = nil } }
    if start != nil { add { $0.start = nil } }
    if orderBy != nil { add { $0.orderBy = nil } }
    if let condition = self.where {
      add { $0.where = nil }
      for smaller in condition.smaller { add { $0.where = smaller } }
    }
    for (place, entry) in (related ?? []).enumerated() {
      add { $0.related?.remove(at: place) }
      // The far query of a junction has to stay.
      let isJunction = entry.hidden ?? false
      for smaller in entry.subquery.smaller where !isJunction || smaller.related?.count == 1 {
        add { $0.related?[place].subquery = smaller }
      }
    }
    return candidates
  }
}

extension Condition {
  fileprivate var smaller: [Condition] {
    switch self {
    case .simple: return []
    case .correlatedSubquery(let condition):
      return condition.related.subquery.smaller.map { query in
        var copy = condition
        copy.related.subquery = query
        return .correlatedSubquery(copy)
      }
    case .and(let members):
      return members
        + members.indices.map { place in
          var rest = members
          rest.remove(at: place)
          return .and(rest)
        } + Self.smaller(members).map { .and($0) }
    case .or(let members):
      return members
        + members.indices.map { place in
          var rest = members
          rest.remove(at: place)
          return .or(rest)
        } + Self.smaller(members).map { .or($0) }
    }
  }

  private static func smaller(_ members: [Condition]) -> [[Condition]] {
    members.enumerated().flatMap { place, member in
      member.smaller.map { smaller in
        var copy = members
        copy[place] = smaller
        return copy
      }
    }
  }
}
