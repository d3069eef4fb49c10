public import ZeroProtocol

/// The list of tables a store was opened with, checked.
public struct TableNames: Sendable {
  /// The names in the order of `StoreTable.ordinal`.
  public let names: [String]
  private let database: String

  /// - Throws: `misuse` unless every name has 1 to 64 ASCII letters, digits or `_` and none is there
  ///   twice.
  public init(_ names: [String], database: String) throws(StoreError) {
    for name in names where !Self.isValid(name) {
      throw StoreError(
        .misuse, database: database,
        message: "\"\(name)\" cannot name a table; use 1 to 64 ASCII letters, digits or _")
    }
    guard Set(names).count == names.count else {
      throw StoreError(
        .misuse, database: database, message: "a table is named twice; name each once")
    }
    self.names = names
    self.database = database
  }

  /// The place of `table` in the list.
  /// - Throws: `misuse` if it is not in the list.
  @inline(__always)
  public func ordinal(_ table: StoreTable) throws(StoreError) -> Int {
    guard table.ordinal >= 0, table.ordinal < names.count else {
      throw StoreError(
        .misuse, database: database,
        message: "table \(table.ordinal) is not one of the \(names.count) the store was opened with"
      )
    }
    return table.ordinal
  }

  private static func isValid(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
