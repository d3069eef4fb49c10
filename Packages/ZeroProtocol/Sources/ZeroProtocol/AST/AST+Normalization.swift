extension AST {
  /// The query in the form whose text is hashed: groups of conditions flattened by one level and
  /// sorted, nested results sorted by alias, members in a fixed order.
  ///
  /// It stands for the query's identity only: a query whose condition is always false normalizes to
  /// one without condition. The result depends on the client's names, so hashes of client and
  /// server are not compared.
  /// - Throws: `missingAlias` or `unboundParameter` if something cannot be sorted.
  public func normalized() throws(ASTError) -> AST {
    var copy = self
    copy.spelling = nil
    copy.where = try self.where?.flattenedOnce?.sorted()
    if let related {
      var entries: [CorrelatedSubquery] = []
      entries.reserveCapacity(related.count)
      for var entry in related {
        entry.subquery = try entry.subquery.normalized()
        entry.spelling = .normalizedRelated
        entries.append(entry)
      }
      try entries.sortAsV8 { (a, b) throws(ASTError) in
        TextOrder.utf8(try a.sortAlias, try b.sortAlias) < 0
      }
      copy.related = entries
    }
    return copy
  }

  /// The hash of the normalized query's text, which tells queries apart on a client and in drift
  /// checks: 64 bits in base 36.
  /// - Throws: as ``normalized()``.
  public func hash() throws(ASTError) -> String {
    var text = JSONTextSink()
    try normalized().encode(to: &text)
    return String(TextHash.h64(text.bytes), radix: 36)
  }
}

extension CorrelatedSubquery {
  fileprivate var sortAlias: String {
    get throws(ASTError) {
      guard let alias = subquery.alias else { throw .missingAlias(subquery.table) }
      return alias
    }
  }
}

extension Condition {
  /// The condition with groups inside groups of the same kind joined with them by one level per
  /// step, and empty groups and groups of one resolved; nil if nothing is left.
  fileprivate var flattenedOnce: Condition? {
    switch self {
    case .simple, .correlatedSubquery: return self
    case .and(let members):
      if members.areFlat(inside: .and) { return self }
      let parts = members.flatMap { (member) -> [Condition] in
        if case .and(let inner) = member { return inner.compactMap(\.flattenedOnce) }
        return member.flattenedOnce.map { [$0] } ?? []
      }
      return parts.count > 1 ? .and(parts) : parts.first
    case .or(let members):
      if members.areFlat(inside: .or) { return self }
      let parts = members.flatMap { (member) -> [Condition] in
        if case .or(let inner) = member { return inner.compactMap(\.flattenedOnce) }
        return member.flattenedOnce.map { [$0] } ?? []
      }
      return parts.count > 1 ? .or(parts) : parts.first
    }
  }

  /// The condition with the members of every group sorted and every subquery normalized.
  fileprivate func sorted() throws(ASTError) -> Condition {
    switch self {
    case .simple: return self
    case .correlatedSubquery(var condition):
      condition.related.subquery = try condition.related.subquery.normalized()
      return .correlatedSubquery(condition)
    case .and(let members): return .and(try Self.sort(members))
    case .or(let members): return .or(try Self.sort(members))
    }
  }

  private static func sort(_ members: [Condition]) throws(ASTError) -> [Condition] {
    var members = try members.map { (member) throws(ASTError) in try member.sorted() }
    try members.sortAsV8 { (a, b) throws(ASTError) in try compare(a, b) < 0 }
    return members
  }

  /// The order of a group's members. It is not consistent: a subquery and a group are each less
  /// than the other, as in the reference, so that hashes agree.
  private static func compare(_ a: Condition, _ b: Condition) throws(ASTError) -> Int {
    switch (a, b) {
    case (.simple(let a), .simple(let b)):
      var order = try ValuePosition.compare(a.left, b.left)
      if order == 0 { order = TextOrder.utf8(a.op.rawValue, b.op.rawValue) }
      return order == 0 ? try ValuePosition.compare(a.right, b.right) : order
    case (.simple, _): return -1
    case (_, .simple): return 1
    case (.correlatedSubquery(let a), .correlatedSubquery(let b)):
      var order = TextOrder.utf8(try a.related.sortAlias, try b.related.sortAlias)
      if order == 0 { order = TextOrder.utf8(a.op.rawValue, b.op.rawValue) }
      if order == 0 { order = rank(a.flip) - rank(b.flip) }
      return order == 0 ? rank(a.scalar) - rank(b.scalar) : order
    case (.correlatedSubquery, _), (_, .correlatedSubquery): return -1
    case (.and, .or): return -1
    case (.or, .and): return 1
    case (.and(let a), .and(let b)), (.or(let a), .or(let b)):
      for (x, y) in zip(a, b) {
        let order = try compare(x, y)
        if order != 0 { return order }
      }
      return a.count - b.count
    }
  }

  private static func rank(_ flag: Bool?) -> Int { flag.map { $0 ? 2 : 1 } ?? 0 }
}

extension [Condition] {
  fileprivate enum Group { case and, or }

  /// Whether flattening a group of that kind with these members leaves it as it is, which is so for
  /// what the builder makes.
  fileprivate func areFlat(inside group: Group) -> Bool {
    count > 1
      && allSatisfy { member in
        switch member {
        case .simple, .correlatedSubquery: true
        case .and(let inner): group == .or && inner.areFlat(inside: .and)
        case .or(let inner): group == .and && inner.areFlat(inside: .or)
        }
      }
  }
}

extension ValuePosition {
  fileprivate static func compare(_ a: Self, _ b: Self) throws(ASTError) -> Int {
    switch (a.kind, b.kind) {
    case (.parameter(let parameter), .parameter): throw .unboundParameter(parameter)
    case (.column(let a), .column(let b)): return TextOrder.utf8(a, b)
    case (.column, _), (.literal, .parameter): return -1
    case (_, .column), (.parameter, .literal): return 1
    case (.literal(let a), .literal(let b)):
      return TextOrder.utf8(a.javaScriptText, b.javaScriptText)
    }
  }
}
