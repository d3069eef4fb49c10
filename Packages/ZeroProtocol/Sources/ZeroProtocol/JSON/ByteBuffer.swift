/// Bytes that grow at the end, in memory that is kept when they are removed.
struct ByteBuffer: ~Copyable {
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private(set) var count = 0

  init() {}

  /// A buffer that takes `capacity` bytes before it has to grow.
  init(capacity: Int) { _ = grow(capacity) }

  deinit { memory?.deallocate() }

  /// The bytes, valid until the buffer is used again.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  mutating func removeAll() { count = 0 }

  /// Removes what begins at `offset`.
  mutating func removeAll(from offset: Int) { count = min(count, offset) }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1).storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    (reserve(bytes.count) + count).copyMemory(from: base, byteCount: bytes.count)
    count += bytes.count
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    for byte in UTF8.encode(scalar).unsafelyUnwrapped { append(byte) }
  }

  // MARK: -

  /// The memory, with room for `additional` bytes at the end.
  @inline(__always)
  private mutating func reserve(_ additional: Int) -> UnsafeMutableRawPointer {
    if let memory, capacity - count >= additional { return memory }
    return grow(additional)
  }

  @inline(never)
  private mutating func grow(_ additional: Int) -> UnsafeMutableRawPointer {
    let wanted = max(count + additional, capacity * 2, 64)
    let new = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
    if let memory {
      new.copyMemory(from: memory, byteCount: count)
      memory.deallocate()
    }
    memory = new
    capacity = wanted
    return new
  }
}
