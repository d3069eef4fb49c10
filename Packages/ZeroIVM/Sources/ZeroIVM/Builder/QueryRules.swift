import ZeroProtocol

/// The rules that the untyped and the typed builder share.
enum QueryRules {
  /// Checks a limit.
  /// - Parameter junction: the relationship through a junction table that the query is inside of.
  static func limit(
    _ limit: Double, table: String, junction: String?
  ) throws(QueryBuildError) -> Double {
    if limit < 0 {
      throw QueryBuildError(
        .negativeLimit, table: table, "a limit must not be negative, got \(limit)")
    }
    guard let exact = Int32(exactly: limit) else {
      throw QueryBuildError(
        .invalidLimit, table: table,
        "a limit must be an integer of at most \(Int32.max), got \(limit)")
    }
    if let junction {
      throw QueryBuildError(
        .limitInJunction, table: table, name: junction,
        "no limit can be set behind the junction table of \"\(junction)\"; limit the outer query")
    }
    return Double(exact)
  }

  static func order(
    by column: String, table: String, junction: String?
  ) throws(QueryBuildError) {
    guard let junction else { return }
    throw QueryBuildError(
      .orderByInJunction, table: table, name: column,
      "no order can be set behind the junction table of \"\(junction)\"; sort the rows when read")
  }

  /// The condition that `relation` leads to rows of `far`, a query on its last table.
  ///
  /// Through a junction table it is an exists inside an exists, with `flip` on both and `scalar` on
  /// the inner one.
  static func exists(
    _ relation: RelationDescriptor, _ far: AST, system: QuerySystem, flip: Bool?, scalar: Bool?
  ) -> Condition {
    let hops = relation.hops
    let inner = Condition.correlatedSubquery(
      CorrelatedSubqueryCondition(
        related: CorrelatedSubquery(
          system: system, correlation: correlation(hops.last), subquery: far),
        flip: flip, scalar: scalar))
    guard hops.count == 2 else { return inner }
    let junction = AST(
      table: hops[0].table, alias: AST.existsPrefix + relation.name, where: inner)
    return .correlatedSubquery(
      CorrelatedSubqueryCondition(
        related: CorrelatedSubquery(
          system: system, correlation: correlation(hops[0]), subquery: junction),
        flip: flip))
  }

  /// The alias of the far table in an exists.
  static func existsAlias(_ relation: RelationDescriptor) -> String {
    (relation.hops.count == 2 ? AST.hiddenExistsPrefix : AST.existsPrefix) + relation.name
  }

  /// The nested result that `relation` leads to, `far` being a query on its last table.
  static func related(
    _ relation: RelationDescriptor, _ far: AST, system: QuerySystem
  ) -> CorrelatedSubquery {
    let hops = relation.hops
    let entry = CorrelatedSubquery(
      system: system, correlation: correlation(hops.last), subquery: far)
    guard hops.count == 2 else { return entry }
    return CorrelatedSubquery(
      system: system, correlation: correlation(hops[0]),
      subquery: AST(table: hops[0].table, alias: relation.name, related: [entry]), hidden: true)
  }

  /// Checks that a relation can be followed.
  static func require(
    _ relation: RelationDescriptor, of table: String
  ) throws(QueryBuildError) {
    guard relation.hops.count == 1 || relation.hops.count == 2 else {
      throw QueryBuildError(
        .tooManyHops, table: table, name: relation.name,
        "a relationship of \(relation.hops.count) hops cannot be followed; declare one or two")
    }
  }

  /// Checks the name of a relationship asked for as a nested result.
  static func requireUnreserved(
    _ relation: String, of table: String
  ) throws(QueryBuildError) {
    guard !relation.utf8.starts(with: AST.existsPrefix.utf8) else {
      throw QueryBuildError(
        .reservedRelationship, table: table, name: relation,
        "names of relationships must not start with \"\(AST.existsPrefix)\"")
    }
  }

  private static func correlation(_ hop: Hop?) -> Correlation {
    Correlation(parentField: hop?.from ?? [], childField: hop?.to ?? [])
  }
}

extension AST {
  /// Adds a condition to those the query has.
  mutating func add(_ condition: Condition) {
    self.where = (self.where.map { .conjunction([$0, condition]) } ?? condition).simplified
  }
}
