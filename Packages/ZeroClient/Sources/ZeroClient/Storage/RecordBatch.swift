/// Records copied from a store, one behind the other.
struct RecordBatch: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [(key: Int, value: Int)] = []

  init() {
    bytes.reserveCapacity(Self.fullBytes + Self.fullBytes / 8)
    ends.reserveCapacity(Self.fullBytes / 128)
  }

  /// Number of records.
  var count: Int { ends.count }

  /// Whether it is worth being decoded elsewhere.
  var isFull: Bool { bytes.count >= Self.fullBytes }

  mutating func append(_ key: RawSpan, _ value: RawSpan) {
    key.withUnsafeBytes { bytes.append(contentsOf: $0) }
    let keyEnd = bytes.count
    value.withUnsafeBytes { bytes.append(contentsOf: $0) }
    ends.append((keyEnd, bytes.count))
  }

  /// Calls `body` with each record in the order of adding; keys and values are valid during the call.
  func forEach(_ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { bytes in
      var start = 0
      for end in ends {
        body(
          UnsafeRawBufferPointer(rebasing: bytes[start..<end.key]),
          UnsafeRawBufferPointer(rebasing: bytes[end.key..<end.value]))
        start = end.value
      }
    }
  }

  // MARK: -

  /// Small enough that the allocator gives the same memory again and again.
  private static let fullBytes = 64 << 10
}
