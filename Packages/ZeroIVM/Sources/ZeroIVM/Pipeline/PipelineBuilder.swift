import ZeroProtocol

/// Builds the operators of a query over the sources of a branch.
///
/// The order in which levels connect to their sources is the order in which they are told of
/// changes: a level's own table, then the subqueries of plain exists, of flipped ones, then nested
/// results, each depth first.
struct PipelineBuilder {
  let branch: Branch
  private var connections: [Connection] = []

  init(branch: Branch) { self.branch = branch }

  /// Number of rows of a plain exists that are followed; more make no difference to it.
  static let existsLimit = 3

  mutating func build(_ query: AST) throws(EngineError) -> PipelineLevel {
    try build(query, partition: nil, role: .result)
  }

  /// Disconnects what was built before an error.
  func abandon() { for connection in connections { connection.destroy() } }

  // MARK: -

  enum Role {
    /// Rows of it are shown, or it is the child of a flipped join.
    case result
    /// It only tells whether there are rows, up to a limit.
    case exists(limit: Int)
  }

  mutating func build(
    _ query: AST, partition: [String]?, role: Role
  ) throws(EngineError) -> PipelineLevel {
    let source = try branch.source(query.table)
    let layout = source.layout
    let condition = query.where
    if let condition, condition.containsNotExists, !branch.allowsNotExists {
      throw .notExistsUnsupported(query.table)
    }
    var limit = query.rowLimit
    var isCapped = false
    if case .exists(let existsLimit) = role {
      limit = existsLimit
      isCapped = !(condition?.hasFlip ?? false)
      try refuseInExists(query)
    }
    let partitionKey = try partition.map { (columns) throws(EngineError) in
      try key(columns, layout)
    }

    let connection = try connect(source, query, partitionKey, isOrdered: !isCapped)
    connections.append(connection)
    var end: Operator = connection
    if let start = query.start { end = Skip(end, bound(start, layout)) }
    if let condition {
      let prepared: PreparedCondition
      (prepared, end) = try joinExists(condition, end, layout)
      if condition.rowPart.isWeaker { end = try apply(prepared.pruned, end, source) }
    }
    if let limit {
      if isCapped, let partitionKey {
        end = Cap(end, limit, partition: partitionKey, primaryKey: source.primaryKey)
      } else {
        end = Take(end, limit, partition: partitionKey)
      }
    }
    var relations: [PipelineLevel.Relation] = []
    for related in query.distinctRelated {
      guard let name = related.subquery.alias else { throw .missingAlias(related.subquery.table) }
      let (join, level) = try join(end, related, layout, role: .result)
      end = join
      relations.append(
        PipelineLevel.Relation(
          name: name, isHidden: related.hidden ?? false, join: join, level: level))
    }
    return PipelineLevel(end: end, layout: layout, relations: relations)
  }

  private func refuseInExists(_ query: AST) throws(EngineError) {
    if query.start != nil { throw .existsStart(query.table) }
    if !(query.related ?? []).isEmpty { throw .existsRelated(query.table) }
  }

  private mutating func join(
    _ parent: Operator, _ related: CorrelatedSubquery, _ layout: RowLayout, role: Role
  ) throws(EngineError) -> (join: Join, level: PipelineLevel) {
    let (level, parentKey, childKey) = try child(related, layout, role: role)
    let join = Join(
      parent, level.end, parentKey: parentKey, childKey: childKey,
      name: related.subquery.alias ?? related.subquery.table)
    return (join, level)
  }

  private mutating func child(
    _ related: CorrelatedSubquery, _ layout: RowLayout, role: Role
  ) throws(EngineError) -> (PipelineLevel, parentKey: KeyColumns, childKey: KeyColumns) {
    let correlation = related.correlation
    guard correlation.parentField.count == correlation.childField.count else {
      throw .unevenCorrelation(related)
    }
    let parentKey = try key(correlation.parentField, layout)
    let level = try build(related.subquery, partition: correlation.childField, role: role)
    return (level, parentKey, try key(correlation.childField, level.layout))
  }

  /// Joins the subquery of every exists that is not flipped, in the order they are written.
  private mutating func joinExists(
    _ condition: Condition, _ input: Operator, _ layout: RowLayout
  ) throws(EngineError) -> (PreparedCondition, Operator) {
    switch condition {
    case .simple: return (.row(condition), input)
    case .and(let members):
      let (parts, end) = try joinExists(members, input, layout)
      return (.and(parts), end)
    case .or(let members):
      let (parts, end) = try joinExists(members, input, layout)
      return (.or(parts), end)
    case .correlatedSubquery(let condition):
      let isNegated = condition.op == .notExists
      if condition.isFlipped { return (.flipped(condition.related), input) }
      let limit = condition.related.system == .permissions ? 1 : Self.existsLimit
      let join = try join(input, condition.related, layout, role: .exists(limit: limit)).join
      if condition.related.subquery.rowLimit == 0 {
        return (.row(isNegated ? .true : .false), join)
      }
      return (.exists(join, isNegated: isNegated), join)
    }
  }

  private mutating func joinExists(
    _ members: [Condition], _ input: Operator, _ layout: RowLayout
  ) throws(EngineError) -> ([PreparedCondition], Operator) {
    var end = input
    var parts: [PreparedCondition] = []
    for member in members {
      let part: PreparedCondition
      (part, end) = try joinExists(member, end, layout)
      parts.append(part)
    }
    return (parts, end)
  }

  private mutating func apply(
    _ condition: PreparedCondition, _ input: Operator, _ source: MemorySource
  ) throws(EngineError) -> Operator {
    guard condition.hasFlip else {
      return FilterGraph(input, try filter(condition, source.layout))
    }
    switch condition {
    case .row, .exists: return input
    case .and(let members):
      let plain = members.filter { !$0.hasFlip }
      var end = input
      if !plain.isEmpty { end = FilterGraph(end, try filter(.and(plain), source.layout)) }
      for member in members where member.hasFlip { end = try apply(member, end, source) }
      return end
    case .or(let members):
      let fanOut = UnionFanOut(input)
      let plain = members.filter { !$0.hasFlip }
      var branches: [Operator] = []
      if !plain.isEmpty {
        branches.append(FilterGraph(fanOut.branch(), try filter(.or(plain), source.layout)))
      }
      for member in members where member.hasFlip {
        branches.append(try apply(member, fanOut.branch(), source))
      }
      return UnionFanIn(fanOut, branches, primaryKey: source.primaryKey)
    case .flipped(var related):
      // Whether there is a row does not depend on how many are wanted, unless none is. Then the
      // subquery is joined all the same: its key splits edits for every query.
      if related.subquery.rowLimit != 0 { related.subquery.limit = nil }
      let (level, parentKey, childKey) = try child(related, source.layout, role: .result)
      return FlippedJoin(
        input, level.end, parentKey: parentKey, childKey: childKey,
        name: related.subquery.alias ?? related.subquery.table)
    }
  }

  /// The filter for a condition without flipped exists.
  private func filter(
    _ condition: PreparedCondition, _ layout: RowLayout
  ) throws(EngineError) -> Filter {
    switch condition {
    case .row(let condition):
      return RowConditionFilter(try RowFilter(condition, layout, branch.faults))
    case .exists(let join, let isNegated): return ExistsFilter(join, isNegated: isNegated)
    case .and(let members):
      return AndFilter(
        try members.map { (member) throws(EngineError) in try filter(member, layout) })
    case .or(let members):
      var branches: [Filter] = []
      for member in members where member.hasSubquery {
        branches.append(try filter(member, layout))
      }
      let rowParts = members.filter { !$0.hasSubquery }.map(\.rowCondition)
      if !rowParts.isEmpty {
        branches.append(
          RowConditionFilter(try RowFilter(.or(rowParts), layout, branch.faults)))
      }
      return branches.count == 1 ? branches[0] : OrFilter(branches)
    case .flipped: return RowConditionFilter(try RowFilter(.false, layout, branch.faults))
    }
  }
}
