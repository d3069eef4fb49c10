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
}
