/// Spellings of the store operations for callers that hold `[UInt8]`.
extension StoreSnapshot {
  /// A copy of the value of `key`, or nil.
  public func get(_ table: StoreTable, _ key: [UInt8]) throws -> [UInt8]? {
    try get(table, key.span.bytes) { value in
      guard let value else { return nil }
      return value.withUnsafeBytes { Array($0) }
    }
  }

  /// ``StoreSnapshot/scan(_:prefix:after:_:)`` with array bounds.
  public func scan(
    _ table: StoreTable, prefix: [UInt8] = [], after: [UInt8]? = nil,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    if let after {
      try scan(table, prefix: prefix.span.bytes, after: after.span.bytes, body)
    } else {
      try scan(table, prefix: prefix.span.bytes, after: nil, body)
    }
  }
}

extension StoreTransaction {
  /// ``StoreTransaction/put(_:_:_:)`` with arrays.
  public func put(_ table: StoreTable, _ key: [UInt8], _ value: [UInt8]) throws(StoreError) {
    try put(table, key.span.bytes, value.span.bytes)
  }

  /// ``StoreTransaction/delete(_:_:)`` with an array.
  public func delete(_ table: StoreTable, _ key: [UInt8]) throws(StoreError) {
    try delete(table, key.span.bytes)
  }

  /// ``StoreTransaction/deletePrefix(_:_:)`` with an array.
  public func deletePrefix(_ table: StoreTable, _ prefix: [UInt8]) throws(StoreError) {
    try deletePrefix(table, prefix.span.bytes)
  }
}
