public import ZeroProtocol

/// The columns that an update writes, by ordinal: those that were assigned, and no others.
public struct ChangeSet: Sendable {
  /// Ordinals and values in order of assignment.
  public private(set) var values: [(column: Int, value: Value)] = []

  public init() {}

  /// Assigns a column; the last assignment counts.
  public mutating func set(_ column: Int, _ value: Value) {
    if let place = values.firstIndex(where: { $0.column == column }) {
      values[place].value = value
    } else {
      values.append((column, value))
    }
  }

  /// The value assigned to a column; absent if none was.
  public subscript(column: Int) -> Value {
    values.first { $0.column == column }?.value ?? .absent
  }

  /// What was assigned to a column, or else what its type has for null.
  ///
  /// - Precondition: one of the two exists. A column whose type has no value for null, as an
  ///   enumeration, can be read back only after it was assigned.
  public func get<V: ZeroValue>(_ column: Int, as _: V.Type = V.self) -> V {
    guard let value = V(zero: self[column]) ?? V.valueForNull else {
      preconditionFailure("column \(column) is read from changes that do not assign it")
    }
    return value
  }
}

/// What an update of a table's row writes; generated beside the table's struct.
public protocol RowChanges: Sendable {
  var values: ChangeSet { get set }
}
