extension Row {
  /// Where the block of the row begins, for readers that keep the row alive themselves and must
  /// not count a reference per look.
  @_spi(Engine) @inlinable public var packedBase: UnsafeRawPointer { storage.base }
}
