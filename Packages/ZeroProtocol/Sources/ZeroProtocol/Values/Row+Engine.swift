extension Row {
  /// Where the block of the row begins, for readers that keep the row alive themselves and must
  /// not count a reference per look.
  @_spi(Engine) @inlinable public var packedBase: UnsafeRawPointer { storage.base }

  /// The same for a row in memory, without taking a reference to the row. The row has to stay there
  /// while the block is read.
  @_spi(Engine) @inlinable public static func packedBase(
    at place: UnsafePointer<Row>
  ) -> UnsafeRawPointer {
    // A row is one reference, so its memory holds the address of the block's object.
    let object = UnsafeRawPointer(place).load(as: UnsafeRawPointer.self)
    return Unmanaged<RowStorage>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.base }
  }

  /// Calls `body` with a row in memory without counting a reference to it: counting takes longer than
  /// what most walks over rows do with each. The row has to stay there until `body` returns.
  @_spi(Engine) @inlinable @inline(__always) public static func withUncounted<Result>(
    at place: UnsafePointer<Row>, _ body: (Row) throws -> Result
  ) rethrows -> Result {
    let object = UnsafeRawPointer(place).load(as: UnsafeRawPointer.self)
    return try Unmanaged<RowStorage>.fromOpaque(object)._withUnsafeGuaranteedRef {
      try body(Row(storage: $0))
    }
  }
}

/// A row that something else keeps alive, without a reference of its own: for lists of rows that are made
/// and dropped again, where counting would take longer than the work.
@_spi(Engine) public struct UncountedRow {
  @usableFromInline let storage: Unmanaged<RowStorage>

  /// A row in memory.
  @inlinable @inline(__always) public init(at place: UnsafePointer<Row>) {
    let object = UnsafeRawPointer(place).load(as: UnsafeRawPointer.self)
    storage = Unmanaged<RowStorage>.fromOpaque(object)
  }

  /// Where the block of the row begins.
  @inlinable @inline(__always) public var packedBase: UnsafeRawPointer {
    storage._withUnsafeGuaranteedRef { $0.base }
  }

  /// The row, with a reference of its own.
  @inlinable @inline(__always) public var row: Row { Row(storage: storage.takeUnretainedValue()) }
}
