import ZeroProtocol

extension Column where V: ZeroScalar {
  /// Equal; with nil, whether the column is null.
  public static func == (column: Self, value: V) -> Predicate<T> {
    let value = value.zero
    return Predicate(column, value == .null ? .is : .equal, value)
  }

  /// Not equal; with nil, whether the column is not null. Otherwise false for a null column.
  public static func != (column: Self, value: V) -> Predicate<T> {
    let value = value.zero
    return Predicate(column, value == .null ? .isNot : .notEqual, value)
  }

  /// Less. False for a null column and for nil.
  public static func < (column: Self, value: V) -> Predicate<T> {
    Predicate(column, .less, value.zero)
  }

  /// Less or equal. False for a null column and for nil.
  public static func <= (column: Self, value: V) -> Predicate<T> {
    Predicate(column, .lessOrEqual, value.zero)
  }

  /// Greater. False for a null column and for nil.
  public static func > (column: Self, value: V) -> Predicate<T> {
    Predicate(column, .greater, value.zero)
  }

  /// Greater or equal. False for a null column and for nil.
  public static func >= (column: Self, value: V) -> Predicate<T> {
    Predicate(column, .greaterOrEqual, value.zero)
  }

  /// One of `values`; nil among them matches nothing and is left out. False for a null column.
  public func `in`(_ values: some Sequence<V>) -> Predicate<T> {
    Predicate(self, .in, .list(values))
  }

  /// None of `values`; nil among them excludes nothing and is left out. False for a null column.
  public func notIn(_ values: some Sequence<V>) -> Predicate<T> {
    Predicate(self, .notIn, .list(values))
  }
}

extension Column where V: TextScalar {
  /// Matches a pattern; see ``Pattern``.
  public func like(_ pattern: String) -> Predicate<T> { Predicate(self, .like, .string(pattern)) }

  /// Does not match a pattern. False for a null column.
  public func notLike(_ pattern: String) -> Predicate<T> {
    Predicate(self, .notLike, .string(pattern))
  }

  /// Matches a pattern whatever the case of letters.
  public func ilike(_ pattern: String) -> Predicate<T> {
    Predicate(self, .ilike, .string(pattern))
  }

  /// Does not match a pattern whatever the case of letters. False for a null column.
  public func notILike(_ pattern: String) -> Predicate<T> {
    Predicate(self, .notILike, .string(pattern))
  }
}

extension Relation {
  /// Leads to rows of the query that `build` makes.
  ///
  /// - Parameters:
  ///   - flip: whether to start from those rows; nil says nothing.
  ///   - scalar: whether it leads to one row at most, which a server may look up beforehand.
  public func exists(
    flip: Bool? = nil, scalar: Bool? = nil, _ build: (Query<C, [C]>) -> Query<C, [C]> = { $0 }
  ) -> Predicate<T> {
    let relation = descriptor
    let far = build(.far(relation, alias: QueryRules.existsAlias(relation)))
    return Predicate(
      QueryRules.exists(relation, far.ast, system: .client, flip: flip, scalar: scalar),
      error: far.buildError)
  }
}

extension Value {
  /// A list of values without nulls, as `IN` takes it.
  static func list(_ values: some Sequence<some ZeroScalar>) -> Value {
    .json(.array(values.map(\.zero).filter { $0 != .null }.map(\.jsonValue)))
  }
}
