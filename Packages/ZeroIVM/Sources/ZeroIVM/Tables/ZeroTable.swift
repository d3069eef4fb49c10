public import ZeroProtocol

/// A struct that stands for the rows of a table; generated from the schema, or written by hand in
/// the same form.
///
/// `Columns` and `Relations` have a member per column and relation, whose ordinals are those of the
/// descriptor.
public protocol ZeroTable: Sendable {
  associatedtype Columns: Sendable
  associatedtype Relations: Sendable

  static var table: TableDescriptor { get }
  static var columns: Columns { get }
  static var relations: Relations { get }

  /// Reads a row, with the related rows that were asked for.
  init(_ reader: RowReader) throws(RowDecodingError)

  /// The values of all columns, in the order of the descriptor.
  func encode() -> ContiguousArray<Value>
}

/// A related row, boxed so that two structs can contain each other.
@frozen
@propertyWrapper
public struct Indirect<Wrapped: Sendable>: Sendable {
  @usableFromInline final class Box: Sendable {
    @usableFromInline let value: Wrapped

    @usableFromInline init(_ value: Wrapped) { self.value = value }
  }

  @usableFromInline var box: Box?

  @inlinable public init(wrappedValue: Wrapped?) {
    if let wrappedValue { box = Box(wrappedValue) }
  }

  /// No row.
  @inlinable public init() {}

  /// The row, if there is one.
  @inlinable public var wrappedValue: Wrapped? {
    get { box?.value }
    set { box = newValue.map { Box($0) } }
  }
}

extension ZeroTable {
  /// The struct's columns as a row of its table. Related rows are not part of it.
  public var row: Row {
    var builder = RowBuilder()
    builder.begin(Self.table.layout)
    for (column, value) in zip(Self.table.columns.indices, encode()) { builder.set(column, value) }
    return builder.finish()
  }
}
