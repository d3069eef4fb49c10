public import ZeroProtocol

/// A query for rows of `T`, built over key paths.
///
/// An immutable value: every method returns another query. `Output` is `[T]`, or `T?` after
/// ``one()``. The builder neither throws nor traps: what the compiler cannot refuse becomes an
/// error that the query carries and that whatever uses the query throws; see ``checked()``.
///
/// What does not compile: a column or relation of another table, a value of another type than the
/// column's, an order or a pattern on JSON, `one()` inside an exists.
public struct Query<T: ZeroTable, Output>: Sendable {
  /// What is asked for.
  public private(set) var ast: AST
  /// What the result looks like.
  public private(set) var format: Format
  /// The first thing that could not be built as asked.
  public private(set) var buildError: QueryBuildError?
  /// The name it was made under, if any.
  public private(set) var customQueryID: CustomQueryID?
  /// The relationship through a junction table that this query is inside of.
  private let junction: String?

  private init(
    _ ast: AST, _ format: Format, error: QueryBuildError? = nil,
    customQueryID: CustomQueryID? = nil, junction: String? = nil
  ) {
    self.ast = ast
    self.format = format
    buildError = error
    self.customQueryID = customQueryID
    self.junction = junction
  }

  /// The query, if it could be built as asked.
  /// - Throws: ``buildError``.
  public func checked() throws(QueryBuildError) -> Self {
    if let buildError { throw buildError }
    return self
  }

  /// The hash of the query's normalized AST, by which drift checks compare it.
  /// - Throws: `QueryBuildError`.
  public func hash() throws -> String { try checked().ast.hash() }

  /// The same query under a name that the server knows.
  public func named(_ name: String, args: [JSONValue]) -> Self {
    changing { $0.customQueryID = CustomQueryID(name: name, args: args) }
  }

  /// Adds the condition that a column equals `value`, or is null if `value` is nil.
  public func `where`<V: ZeroScalar>(_ column: KeyPath<T.Columns, Column<T, V>>, _ value: V) -> Self
  {
    adding(T.columns[keyPath: column] == value)
  }

  /// Adds a comparison. With nil, every operator but `is` and `isNot` matches nothing.
  public func `where`<V: ZeroScalar>(
    _ column: KeyPath<T.Columns, Column<T, V>>, _ comparison: Comparison, _ value: V
  ) -> Self {
    adding(Predicate(T.columns[keyPath: column], comparison.op, value.zero))
  }

  /// Adds the condition that a column is, or is not, one of `values`.
  public func `where`<V: ZeroScalar>(
    _ column: KeyPath<T.Columns, Column<T, V>>, _ membership: Membership, _ values: [V]
  ) -> Self {
    adding(Predicate(T.columns[keyPath: column], membership.op, .list(values)))
  }

  /// Adds the condition that a column matches, or does not match, a pattern.
  public func `where`<V: TextScalar>(
    _ column: KeyPath<T.Columns, Column<T, V>>, _ operation: Pattern, _ pattern: String
  ) -> Self {
    adding(Predicate(T.columns[keyPath: column], operation.op, .string(pattern)))
  }

  /// Adds the condition that `build` makes of columns and relations.
  public func `where`(_ build: (Scope<T>) -> Predicate<T>) -> Self { adding(build(Scope())) }

  /// Adds the condition that a relation leads to rows of the query that `build` makes.
  ///
  /// - Parameters:
  ///   - flip: whether to start from those rows; nil says nothing.
  ///   - scalar: whether it leads to one row at most, which a server may look up beforehand.
  public func whereExists<C, K>(
    _ relation: KeyPath<T.Relations, Relation<T, C, K>>, flip: Bool? = nil, scalar: Bool? = nil,
    _ build: (Query<C, [C]>) -> Query<C, [C]> = { $0 }
  ) -> Self {
    adding(T.relations[keyPath: relation].exists(flip: flip, scalar: scalar, build))
  }

  /// Adds the rows that a relation leads to as a nested result.
  public func related<C, K>(_ relation: KeyPath<T.Relations, Relation<T, C, K>>) -> Self {
    related(relation) { $0 }
  }

  /// Adds the rows that a relation leads to as a nested result, shaped by `build`.
  ///
  /// A relation to one row sets no limit: the query fails if it leads to several. Asking twice for
  /// one relation nests two results in the query, of which the last one is shown; as that is hardly
  /// meant, it is an error of the query in debug builds.
  public func related<C, K, O>(
    _ relation: KeyPath<T.Relations, Relation<T, C, K>>,
    _ build: (Query<C, [C]>) -> Query<C, O>
  ) -> Self {
    let relation = T.relations[keyPath: relation].descriptor
    var far = Query<C, [C]>.far(relation, alias: relation.name)
    far.format.singular = relation.cardinality == .one
    let shaped = build(far)
    return changing {
      #if DEBUG
        if $0.format[relation.name] != nil {
          $0.buildError =
            $0.buildError
            ?? QueryBuildError(
              .repeatedRelationship, table: T.table.name, name: relation.name,
              "the relationship is asked for twice; put everything into one related(…)")
        }
      #endif
      $0.ast.related =
        ($0.ast.related ?? []) + [QueryRules.related(relation, shaped.ast, system: .client)]
      $0.format[relation.name] = shaped.format
      $0.buildError = $0.buildError ?? shaped.buildError
    }
  }

  /// Appends a column to the ordering. The primary key decides what is left undecided.
  public func orderBy<V>(
    _ column: KeyPath<T.Columns, Column<T, V>>, _ direction: Direction = .asc
  ) -> Self {
    let name = T.columns[keyPath: column].name
    return trying { (query) throws(QueryBuildError) in
      try QueryRules.order(by: name, table: T.table.name, junction: query.junction)
      query.ast.orderBy = (query.ast.orderBy ?? []) + [OrderPart(name, direction)]
    }
  }

  /// Limits the number of rows, instead of any limit before.
  ///
  /// - Parameter count: from 0 to 2^31 − 1; not behind a junction table.
  public func limit(_ count: Int) -> Self {
    trying { (query) throws(QueryBuildError) in
      query.ast.limit = try QueryRules.limit(
        Double(count), table: T.table.name, junction: query.junction)
    }
  }

  /// Starts behind `row` in the order of the query.
  public func start(after row: T) -> Self { starting(row, exclusive: true) }

  /// Starts at `row` in the order of the query.
  public func start(at row: T) -> Self { starting(row, exclusive: false) }

  /// Asks for the first row alone.
  public func one() -> Query<T, T?> {
    var query = Query<T, T?>(
      ast, format, error: buildError, customQueryID: customQueryID, junction: junction)
    query.ast.limit = 1
    query.format.singular = true
    return query
  }

  // MARK: -

  private func changing(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// Changes the query, or notes why that is not possible.
  private func trying(_ change: (inout Self) throws(QueryBuildError) -> Void) -> Self {
    changing {
      do throws(QueryBuildError) {
        try change(&$0)
      } catch {
        $0.buildError = $0.buildError ?? error
      }
    }
  }

  private func adding(_ predicate: Predicate<T>) -> Self {
    changing {
      $0.ast.add(predicate.condition)
      $0.buildError = $0.buildError ?? predicate.buildError
    }
  }

  private func starting(_ row: T, exclusive: Bool) -> Self {
    let members = zip(T.table.columns, row.encode()).map { ($0.name, $1.jsonValue) }
    return changing { $0.ast.start = Start(row: JSONObject(members), exclusive: exclusive) }
  }
}

extension Query where Output == [T] {
  /// The query for all rows of the table.
  public static var all: Self { Self(AST(table: T.table.name), Format()) }

  /// The query on the last table of a relation that leads to `T`, before anything is added.
  static func far(_ relation: RelationDescriptor, alias: String) -> Self {
    let isBehindJunction = relation.hops.count == 2
    var error: QueryBuildError?
    do throws(QueryBuildError) {
      try QueryRules.require(relation, of: T.table.name)
    } catch let found {
      error = found
    }
    return Self(
      AST(table: relation.hops.last?.table ?? T.table.name, alias: alias), Format(), error: error,
      junction: isBehindJunction ? relation.name : nil)
  }
}

extension Query: CustomDebugStringConvertible {
  /// The query as JSON, in the form that the server knows.
  public var debugDescription: String { String(decoding: ast.jsonText, as: UTF8.self) }
}
