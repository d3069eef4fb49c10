import ZeroIVM
import ZeroProtocol

/// Evaluates queries by nested loops over arrays, for comparison only: no order is kept, no index
/// used, nothing shared with the engine but the types of rows and queries.
struct NaiveEvaluator {
  let schema: ZeroSchema
  let rows: [String: [Row]]

  /// What a query shows, as text.
  func text(_ query: AST, _ format: Format) -> String {
    text(evaluate(query, nil).map { shown($0, query, format) }, format)
  }

  // MARK: -

  /// The rows of a query, of those that are related to a parent row if one is given.
  private func evaluate(_ query: AST, _ parent: (row: Row, Correlation)?) -> [Row] {
    var result = (rows[query.table] ?? []).filter { row in
      if let parent, !joins(parent.row, row, parent.1) { return false }
      return query.where.map { holds($0, row) } ?? true
    }
    let order = self.order(query)
    result.sort { compare($0, $1, order) < 0 }
    if let start = query.start {
      result = result.filter { row in
        for part in order {
          let sign = part.direction == .desc ? -1 : 1
          let bound = start.row[part.column].map { Value($0) } ?? .null
          let order = compare(row[part.column], bound) * sign
          if order != 0 { return order > 0 }
        }
        return !start.exclusive
      }
    }
    if let limit = query.rowLimit { result = Array(result.prefix(limit)) }
    return result
  }

  private func order(_ query: AST) -> Ordering {
    var order: Ordering = []
    let key = schema.table(query.table)?.primaryKey ?? []
    for part in (query.orderBy ?? []) + key.map({ OrderPart($0) })
    where !order.contains(where: { $0.column == part.column }) {
      order.append(part)
    }
    return order
  }

  private func compare(_ a: Row, _ b: Row, _ order: Ordering) -> Int {
    for part in order {
      let result = compare(a[part.column], b[part.column])
      if result != 0 { return part.direction == .desc ? -result : result }
    }
    return 0
  }

  private func compare(_ a: Value, _ b: Value) -> Int {
    switch (a, b) {
    case (.null, .null), (.absent, .null), (.null, .absent), (.absent, .absent): 0
    case (.null, _), (.absent, _): -1
    case (_, .null), (_, .absent): 1
    case (.bool(let x), .bool(let y)): x == y ? 0 : x ? 1 : -1
    case (.number(let x), .number(let y)): x < y ? -1 : x > y ? 1 : 0
    case (.string(let x), .string(let y)):
      x.utf8.elementsEqual(y.utf8) ? 0 : x.utf8.lexicographicallyPrecedes(y.utf8) ? -1 : 1
    default: 0
    }
  }

  private func isNull(_ value: Value) -> Bool { value == .null || value == .absent }

  private func joins(_ parent: Row, _ child: Row, _ correlation: Correlation) -> Bool {
    zip(correlation.parentField, correlation.childField).allSatisfy { parentColumn, childColumn in
      let (a, b) = (parent[parentColumn], child[childColumn])
      return !isNull(a) && !isNull(b) && a == b
    }
  }

  private func holds(_ condition: Condition, _ row: Row) -> Bool {
    switch condition {
    case .and(let members): return members.allSatisfy { holds($0, row) }
    case .or(let members): return members.contains { holds($0, row) }
    case .simple(let condition): return holds(condition, row)
    case .correlatedSubquery(let condition):
      var query = condition.related.subquery
      // Whether there is a row does not depend on how many are wanted, unless that is none.
      let isEmpty = query.rowLimit == 0
      query.limit = nil
      query.orderBy = nil
      let exists = !isEmpty && !evaluate(query, (row, condition.related.correlation)).isEmpty
      return exists == (condition.op == .exists)
    }
  }

  private func holds(_ condition: SimpleCondition, _ row: Row) -> Bool {
    guard case .column(let column) = condition.left.kind,
      case .literal(let right) = condition.right.kind
    else { return false }
    let left = row[column]
    if condition.op == .is { return left == right }
    if condition.op == .isNot { return left != right }
    if isNull(left) || isNull(right) { return false }
    switch condition.op {
    case .equal: return left == right
    case .notEqual: return left != right
    case .less: return compare(left, right) < 0
    case .lessOrEqual: return compare(left, right) <= 0
    case .greater: return compare(left, right) > 0
    case .greaterOrEqual: return compare(left, right) >= 0
    case .in, .notIn:
      guard case .json(.array(let elements)) = right else { return false }
      return elements.contains { Value($0) == left } == (condition.op == .in)
    case .like, .notLike:
      guard case .string(let text) = left, case .string(let pattern) = right else { return false }
      return matches(Array(text.utf16), Array(pattern.utf16)[...]) == (condition.op == .like)
    default: return false
    }
  }

  private func matches(_ text: [UInt16], _ pattern: ArraySlice<UInt16>) -> Bool {
    guard let unit = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch unit {
    case 0x25: return (0...text.count).contains { matches(Array(text[$0...]), rest) }
    case 0x5F: return !text.isEmpty && matches(Array(text.dropFirst()), rest)
    default: return text.first == unit && matches(Array(text.dropFirst()), rest)
    }
  }

  private func shown(_ row: Row, _ query: AST, _ format: Format) -> String {
    var parts = [contents(row)]
    for (name, format) in format.relationships {
      guard let entry = query.related?.last(where: { $0.subquery.alias == name }) else { continue }
      parts.append("\(name): \(text(related(row, entry, format), format))")
    }
    return "{\(parts.joined(separator: "; "))}"
  }

  private func related(_ row: Row, _ entry: CorrelatedSubquery, _ format: Format) -> [String] {
    let found = evaluate(entry.subquery, (row, entry.correlation))
    guard entry.hidden ?? false else { return found.map { shown($0, entry.subquery, format) } }
    guard let far = entry.subquery.related?.first else { return [] }
    // A far row is shown once, in the far query's order, over however many rows it is reached.
    var rows: [Row] = []
    for junction in found {
      for row in evaluate(far.subquery, (junction, far.correlation)) where !rows.contains(row) {
        rows.append(row)
      }
    }
    let order = self.order(far.subquery)
    rows.sort { compare($0, $1, order) < 0 }
    return rows.map { shown($0, far.subquery, format) }
  }

  private func text(_ rows: [String], _ format: Format) -> String {
    format.singular ? rows.first ?? "none" : "[\(rows.joined(separator: ", "))]"
  }

  private func contents(_ row: Row) -> String { Shown.contents(row) }
}

/// What a view shows, as text in the form of the naive evaluator.
enum Shown {
  static func text(_ data: ViewData) -> String {
    switch data {
    case .one(let entry): entry.map { text($0) } ?? "none"
    case .many(let list): "[\(list.map { text($0) }.joined(separator: ", "))]"
    }
  }

  private static func text(_ entry: Entry) -> String {
    var parts = [contents(entry.row)]
    for (slot, relationship) in (entry.shape?.relationships ?? []).enumerated() {
      guard let data = entry.related(slot) else { continue }
      parts.append("\(relationship.name): \(text(data))")
    }
    return "{\(parts.joined(separator: "; "))}"
  }

  static func contents(_ row: Row) -> String {
    row.layout.columns.indices.map { place in
      switch row[place] {
      case .absent: "-"
      case .null: "null"
      case .bool(let value): value ? "true" : "false"
      case .number(let value): "\(value)"
      case .string(let value): value
      case .json(let value): value.jsonString
      }
    }.joined(separator: ",")
  }
}
