import ZeroProtocol

/// A condition whose plain subqueries are joined already.
indirect enum PreparedCondition {
  case row(Condition)
  case exists(Join, isNegated: Bool)
  case flipped(CorrelatedSubquery)
  case and([PreparedCondition])
  case or([PreparedCondition])

  /// Whether it asks for a subquery anywhere.
  var hasSubquery: Bool {
    switch self {
    case .row: false
    case .exists, .flipped: true
    case .and(let members), .or(let members): members.contains(where: \.hasSubquery)
    }
  }

  /// Whether a flipped exists is in it.
  var hasFlip: Bool {
    switch self {
    case .row, .exists: false
    case .flipped: true
    case .and(let members), .or(let members): members.contains(where: \.hasFlip)
    }
  }

  /// The condition on rows, given that it has no subquery.
  var rowCondition: Condition {
    switch self {
    case .row(let condition): condition
    case .exists, .flipped: .true
    case .and(let members): .and(members.map(\.rowCondition))
    case .or(let members): .or(members.map(\.rowCondition))
    }
  }

  /// The same with every part that has no subquery as one condition on rows.
  var pruned: PreparedCondition {
    guard hasSubquery else { return .row(rowCondition) }
    switch self {
    case .row, .exists, .flipped: return self
    case .and(let members): return .and(members.map(\.pruned))
    case .or(let members): return .or(members.map(\.pruned))
    }
  }
}

extension Condition {
  /// The exists conditions in it, in order, not looking into their subqueries.
  var existsConditions: [CorrelatedSubqueryCondition] {
    switch self {
    case .simple: []
    case .correlatedSubquery(let condition): [condition]
    case .and(let members), .or(let members): members.flatMap(\.existsConditions)
    }
  }

  var hasFlip: Bool { existsConditions.contains(where: \.isFlipped) }

  /// Calls `body` with every column and scalar that all matching rows have in it.
  func collectEqualities(_ body: (String, Value) -> Void) {
    switch self {
    case .simple(let condition):
      guard condition.op == .equal, case .column(let column) = condition.left.kind,
        case .literal(let value) = condition.right.kind
      else { return }
      switch value {
      case .bool, .number, .string: body(column, value)
      case .absent, .null, .json: break
      }
    case .and(let members): for member in members { member.collectEqualities(body) }
    case .or(let members): if members.count == 1 { members[0].collectEqualities(body) }
    case .correlatedSubquery: break
    }
  }
}

extension CorrelatedSubqueryCondition {
  /// Whether it is evaluated from the child side. That there are no rows cannot be seen from there.
  var isFlipped: Bool { flip == true && op == .exists }
}

extension AST {
  /// The nested results by alias: of several with one alias the last counts, in the first's place.
  var distinctRelated: [CorrelatedSubquery] {
    var distinct: [CorrelatedSubquery] = []
    for entry in related ?? [] {
      let place = distinct.firstIndex {
        ($0.subquery.alias ?? "").utf8.elementsEqual((entry.subquery.alias ?? "").utf8)
      }
      if let place { distinct[place] = entry } else { distinct.append(entry) }
    }
    return distinct
  }
}
