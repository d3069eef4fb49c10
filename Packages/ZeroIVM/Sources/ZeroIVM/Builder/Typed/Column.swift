import ZeroProtocol

/// A typed reference to a column of a table.
///
/// Not `Equatable`, so that `==` with a value makes a predicate.
public struct Column<T: ZeroTable, V: ZeroValue>: Sendable {
  let index: Int

  /// - Parameter index: the column's ordinal in the table's descriptor.
  public init(_ index: Int) { self.index = index }

  var name: String { T.table.columns[index].name }
}

/// A relation that leads to one row, or none.
public enum ToOne {}

/// A relation that leads to a list of rows.
public enum ToMany {}

/// A typed reference to a relation of `T` that leads to rows of `C`; `K` is ``ToOne`` or
/// ``ToMany``.
public struct Relation<T: ZeroTable, C: ZeroTable, K>: Sendable {
  let index: Int

  /// - Parameter index: the relation's ordinal in the table's descriptor.
  public init(_ index: Int) { self.index = index }

  var descriptor: RelationDescriptor { T.table.relations[index] }
}

/// The columns and relations of a table as members: `$0` in `where { … }`.
@dynamicMemberLookup
public struct Scope<T: ZeroTable> {
  init() {}

  public subscript<V>(dynamicMember column: KeyPath<T.Columns, Column<T, V>>) -> Column<T, V> {
    T.columns[keyPath: column]
  }

  public subscript<C, K>(
    dynamicMember relation: KeyPath<T.Relations, Relation<T, C, K>>
  ) -> Relation<T, C, K> {
    T.relations[keyPath: relation]
  }
}
