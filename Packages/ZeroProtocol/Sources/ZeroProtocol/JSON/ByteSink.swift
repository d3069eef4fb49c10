/// Takes bytes, one after the other.
protocol ByteSink: ~Copyable {
  mutating func append(_ byte: UInt8)
  mutating func append(_ bytes: UnsafeRawBufferPointer)
}

extension ByteSink where Self: ~Copyable {
  @inline(__always)
  mutating func append(known text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

extension ByteBuffer: ByteSink {}

extension Array: ByteSink where Element == UInt8 {
  mutating func append(_ bytes: UnsafeRawBufferPointer) { append(contentsOf: bytes) }
}
