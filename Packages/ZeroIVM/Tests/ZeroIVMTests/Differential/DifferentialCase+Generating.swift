import ZeroIVM
import ZeroProtocol

extension DifferentialCase {
  init(seed: UInt64) {
    var generator = CaseGenerator(seed: seed)
    self = generator.makeCase()
  }
}

/// Makes cases in which values collide often, so that joins meet, limits fill and keys clash.
struct CaseGenerator {
  private var random: SeededRandom
  private var tables: [TableDescriptor] = []

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func makeCase() -> DifferentialCase {
    tables = (0..<(2 + random.below(2))).map { table($0) }
    let schema = ZeroSchema(tables: tables)
    var rows: [String: [Row]] = [:]
    for table in tables {
      for _ in 0..<random.below(9) {
        _ = DifferentialCase.apply(.add(row(table)), &rows)
      }
    }
    let queries = (0..<(random.chance(1, of: 4) ? 2 : 1)).map { _ in openQuery() }
    var current = rows
    let steps = (0..<(3 + random.below(8))).map { _ in step(&current) }
    return DifferentialCase(schema: schema, rows: rows, queries: queries, steps: steps)
  }

  // MARK: -

  private static let types: [ColumnType] = [.string, .number, .number, .boolean, .string]

  private mutating func table(_ number: Int) -> TableDescriptor {
    var columns = [
      ColumnDescriptor("k", .string), ColumnDescriptor("l", .number),
    ]
    for place in 0..<(2 + random.below(3)) {
      columns.append(
        ColumnDescriptor("c\(place)", random.pick(Self.types), optional: random.chance(2, of: 3)))
    }
    let key = random.pick([["k"], ["k"], ["k", "l"], ["l", "k"]])
    return TableDescriptor("t\(number)", columns: columns, primaryKey: key)
  }

  private mutating func value(_ column: ColumnDescriptor) -> Value {
    if column.isOptional, random.chance(1, of: 4) {
      return random.chance(1, of: 6) ? .absent : .null
    }
    switch column.type {
    case .string: return .string(random.pick(["", "a", "ab", "b", "é", "\u{FFFD}", "😀"]))
    case .boolean: return .bool(random.chance(1, of: 2))
    default: return .number(random.pick([-1, 0, 1, 2, 2.5, 3]))
    }
  }

  private mutating func row(_ table: TableDescriptor) -> Row {
    var builder = RowBuilder()
    builder.begin(table.layout)
    for (place, column) in table.columns.enumerated() { builder.set(place, value(column)) }
    return builder.finish()
  }

  private mutating func edited(_ row: Row, _ table: TableDescriptor) -> Row {
    var builder = RowBuilder()
    builder.begin(table.layout)
    for place in table.columns.indices { builder.set(place, row[place]) }
    for _ in 0...random.below(2) {
      let place = random.below(table.columns.count)
      // Most edits keep the key.
      if table.layout.primaryKey.contains(place), random.chance(3, of: 4) { continue }
      // An edit that lacks a column leaves what views show of it, unlike a fresh evaluation.
      let value = value(table.columns[place])
      builder.set(place, value == .absent && row[place] != .absent ? .null : value)
    }
    return builder.finish()
  }

  private mutating func step(_ rows: inout [String: [Row]]) -> DifferentialCase.Step {
    if random.chance(1, of: 12) { return .reopen }
    if random.chance(1, of: 10) {
      var forked = rows
      return .fork((0..<3).compactMap { _ in change(&forked) })
    }
    return .push((0..<(1 + random.below(3))).compactMap { _ in change(&rows) })
  }

  private mutating func change(_ rows: inout [String: [Row]]) -> SourceChange? {
    let table = random.pick(tables)
    let stored = rows[table.name] ?? []
    let change: SourceChange
    switch random.below(stored.isEmpty ? 1 : 4) {
    case 0: change = .add(row(table))
    case 1: change = .remove(random.pick(stored))
    default:
      let old = random.pick(stored)
      change = .edit(old: old, new: edited(old, table))
    }
    return DifferentialCase.apply(change, &rows) ? change : nil
  }

  private mutating func openQuery() -> DifferentialCase.OpenQuery {
    let table = random.pick(tables)
    var (ast, format) = query(table, depth: 0)
    if random.chance(1, of: 12) {
      ast.limit = 1
      format.singular = true
    }
    return DifferentialCase.OpenQuery(ast: ast, format: format)
  }

  private mutating func query(_ table: TableDescriptor, depth: Int) -> (AST, Format) {
    var ast = AST(table: table.name)
    var format = Format()
    if random.chance(3, of: 5) { ast.where = condition(table, depth: depth) }
    if random.chance(1, of: 2) { ast.orderBy = ordering(table) }
    if random.chance(1, of: 3) { ast.limit = Double(random.below(5)) }
    if random.chance(1, of: 8) { ast.start = start(table) }
    if depth < 3, random.chance(3, of: 4 + depth) {
      var related: [CorrelatedSubquery] = []
      for place in 0...random.below(2) {
        let name = "r\(place)"
        let (entry, entryFormat) = self.related(table, name, depth: depth)
        related.append(entry)
        format[name] = entryFormat
      }
      ast.related = related
    }
    return (ast, format)
  }

  private mutating func ordering(_ table: TableDescriptor) -> Ordering {
    (0...random.below(2)).map { _ in
      OrderPart(random.pick(table.columns).name, random.chance(1, of: 2) ? .asc : .desc)
    }
  }

  private mutating func start(_ table: TableDescriptor) -> Start {
    var bound = JSONObject()
    for column in table.columns where random.chance(2, of: 3) {
      bound[column.name] = value(column).jsonValue
    }
    return Start(row: bound, exclusive: random.chance(1, of: 2))
  }

  /// Pairs of columns of one type.
  private mutating func correlation(
    _ parent: TableDescriptor, _ child: TableDescriptor
  ) -> Correlation {
    var pairs: [(String, String)] = []
    for a in parent.columns {
      for b in child.columns where a.type == b.type && a.type != .boolean {
        pairs.append((a.name, b.name))
      }
    }
    let count = random.chance(1, of: 6) ? 2 : 1
    var chosen: [(String, String)] = []
    for _ in 0..<count {
      let pair = random.pick(pairs)
      if !chosen.contains(where: { $0.0 == pair.0 || $0.1 == pair.1 }) { chosen.append(pair) }
    }
    return Correlation(parentField: chosen.map(\.0), childField: chosen.map(\.1))
  }

  private mutating func related(
    _ table: TableDescriptor, _ name: String, depth: Int
  ) -> (CorrelatedSubquery, Format) {
    let child = random.pick(tables)
    var (query, format) = self.query(child, depth: depth + 1)
    query.alias = name
    if random.chance(1, of: 10) {
      query.limit = 1
      format.singular = true
    }
    guard random.chance(1, of: 3) else {
      return (
        CorrelatedSubquery(
          system: .client, correlation: correlation(table, child), subquery: query), format
      )
    }
    // Through a junction; its far query has no limit and is a list, as the builder makes it.
    query.limit = nil
    query.start = nil
    format.singular = false
    let junction = random.pick(tables)
    let far = CorrelatedSubquery(
      system: .client, correlation: correlation(junction, child), subquery: query)
    let hop = AST(table: junction.name, alias: name, related: [far])
    let entry = CorrelatedSubquery(
      system: .client, correlation: correlation(table, junction), subquery: hop, hidden: true)
    return (entry, format)
  }

  private mutating func condition(_ table: TableDescriptor, depth: Int, nesting: Int = 0)
    -> Condition
  {
    switch random.below(nesting < 2 ? 6 : 3) {
    case 0, 1: return simple(table)
    case 2: return depth < 3 ? exists(table, depth: depth) : simple(table)
    case 3: return depth < 3 ? exists(table, depth: depth) : simple(table)
    case 4:
      return .and(
        (0..<(1 + random.below(3))).map { _ in
          condition(table, depth: depth, nesting: nesting + 1)
        })
    default:
      return .or(
        (0..<(1 + random.below(3))).map { _ in
          condition(table, depth: depth, nesting: nesting + 1)
        })
    }
  }

  private mutating func exists(_ table: TableDescriptor, depth: Int) -> Condition {
    let child = random.pick(tables)
    var query = AST(table: child.name, alias: "zsubq_e")
    if random.chance(1, of: 2) { query.where = condition(child, depth: depth + 1, nesting: 1) }
    if random.chance(1, of: 8) { query.limit = Double(random.below(3)) }
    if random.chance(1, of: 6) { query.orderBy = ordering(child) }
    return .correlatedSubquery(
      CorrelatedSubqueryCondition(
        related: CorrelatedSubquery(
          system: .client, correlation: correlation(table, child), subquery: query),
        op: random.chance(1, of: 5) ? .notExists : .exists,
        flip: random.chance(2, of: 5) ? true : nil))
  }

  private mutating func simple(_ table: TableDescriptor) -> Condition {
    let column = random.pick(table.columns)
    switch random.below(8) {
    case 0: return .simple(column: column.name, random.chance(1, of: 2) ? .is : .isNot, .null)
    case 1:
      let list = (0..<random.below(4)).map { _ in value(column).jsonValue }
      return .simple(
        column: column.name, random.chance(1, of: 2) ? .in : .notIn,
        .json(.array(list.filter { $0 != .null })))
    case 2 where column.type == .string:
      return .simple(
        column: column.name, random.chance(1, of: 2) ? .like : .notLike,
        .string(random.pick(["%a%", "a_", "_", "%", "é", "__"])))
    case 3, 4:
      return .simple(
        column: column.name, random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual]),
        value(column))
    default:
      return .simple(
        column: column.name, random.chance(1, of: 4) ? .notEqual : .equal, value(column))
    }
  }
}
