public import ZeroProtocol

/// What a transaction of a memory store can do beyond others: keep rows as they are, where other stores
/// need copies of their bytes. For everyone else the value is those bytes.
@_spi(Engine) public protocol RowKeeping: StoreTransaction {
  /// Does what `put` of the key's and the row's bytes would do.
  /// - Parameter format: the first byte of the value, in front of the row's block.
  /// - Throws: as `put`.
  func put(_ table: StoreTable, _ key: RowRecordKey, format: UInt8, _ row: Row) throws(StoreError)

  /// The rows under the keys with a prefix, in their order; nil if one of the values is no row that was
  /// kept.
  /// - Throws: `StoreError`: `closed`.
  func rows(_ table: StoreTable, prefix: [UInt8]) throws -> ContiguousArray<Row>?
}

/// The key of a row that a memory store keeps.
@_spi(Engine) public struct RowRecordKey: Sendable {
  let head: [UInt8]
  let column: Int?

  /// - Parameter head: the key itself, or what is in front of the text in `column` of the row.
  public init(_ head: [UInt8], column: Int? = nil) {
    self.head = head
    self.column = column
  }
}
