/// The changes of one transaction, kept so that they can be made again after the map has grown.
struct ChangeLog {
  enum Change {
    case put(key: Range<Int>, value: Range<Int>)
    case delete(key: Range<Int>)
    case deletePrefix(Range<Int>)
  }

  private(set) var changes: [(table: Int, change: Change)] = []
  private var bytes: [UInt8] = []

  mutating func put(_ table: Int, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    changes.append((table, .put(key: keep(key), value: keep(value))))
  }

  mutating func delete(_ table: Int, _ key: UnsafeRawBufferPointer) {
    changes.append((table, .delete(key: keep(key))))
  }

  mutating func deletePrefix(_ table: Int, _ prefix: UnsafeRawBufferPointer) {
    changes.append((table, .deletePrefix(keep(prefix))))
  }

  /// Calls `body` with kept bytes.
  func withBytes<Result>(
    _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  private mutating func keep(_ new: UnsafeRawBufferPointer) -> Range<Int> {
    let start = bytes.count
    bytes.append(contentsOf: new)
    return start..<bytes.count
  }
}
