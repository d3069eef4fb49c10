/// A row's block as bytes that can be stored and read back without naming or parsing columns.
extension Row {
  /// Calls `body` with the block; valid during the call.
  @_spi(Engine) public func withPackedBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let storage = self.storage
    return try withExtendedLifetime(storage) {
      try body(UnsafeRawBufferPointer(start: storage.base, count: storage.byteCount))
    }
  }

  /// Calls `body` with the bytes of column `i` in the block, those of the text if it holds one; valid
  /// during the call.
  @_spi(Engine) public func withPackedBytes<Result>(
    of i: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let storage = self.storage
    return try withExtendedLifetime(storage) { try body(storage.bytes(i)) }
  }

  /// The row whose block was stored for a layout with the same columns in the same order, or nil if
  /// the bytes are not such a block.
  /// - Complexity: O(size of the block)
  @_spi(Engine) public init?(packed: UnsafeRawBufferPointer, layout: RowLayout) {
    guard Self.isBlock(packed, columnCount: layout.columns.count), let source = packed.baseAddress
    else { return nil }
    let buffer = RowStorage.create(minimumCapacity: packed.count) { _ in RowHeader(layout) }
    let storage = unsafeDowncast(buffer, to: RowStorage.self)
    storage.withUnsafeMutablePointerToElements {
      UnsafeMutableRawPointer($0).copyMemory(from: source, byteCount: packed.count)
    }
    self.init(storage: storage)
  }

  // MARK: -

  private static func isBlock(_ block: UnsafeRawBufferPointer, columnCount count: Int) -> Bool {
    guard let flag = block.first, flag <= 1 else { return false }
    let endSize = flag == 0 ? 2 : 4
    let head = 1 + count + count * endSize
    guard block.count >= head else { return false }
    var start = 0
    for i in 0..<count {
      let place = 1 + count + i * endSize
      let end =
        flag == 0
        ? Int(block.loadUnaligned(fromByteOffset: place, as: UInt16.self))
        : Int(block.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      guard end >= start, head + end <= block.count, let tag = Tag(rawValue: block[1 + i])
      else { return false }
      let bytes = UnsafeRawBufferPointer(rebasing: block[head + start..<head + end])
      let isValid =
        switch tag {
        case .absent, .null, .false, .true: bytes.isEmpty
        case .integer: bytes.count == 4
        case .double: bytes.count == 8
        case .string, .json: firstInvalidUTF8(bytes) == nil
        }
      guard isValid else { return false }
      start = end
    }
    return head + start == block.count
  }
}
