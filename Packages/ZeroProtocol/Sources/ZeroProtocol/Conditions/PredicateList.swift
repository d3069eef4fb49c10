/// The list of an `IN`, arranged for lookups that allocate nothing and count no references.
///
/// Sendable in place of a lock: nothing changes after `init`.
final class PredicateList: @unchecked Sendable {
  let hasTrue: Bool
  let hasFalse: Bool
  /// Ascending, without NaN.
  private let numbers: UnsafeMutableBufferPointer<Double>
  /// All texts, one after the other.
  private let bytes: FixedBytes
  /// A hash table of the texts, with free places between them: a place's text is in `bytes`. Its
  /// size is a power of two.
  private let texts: UnsafeMutableBufferPointer<Range<Int>?>

  init(_ elements: [JSONValue]) {
    var numbers: [Double] = []
    var allText: [UInt8] = []
    var ranges: [Range<Int>] = []
    var booleans: (true: Bool, false: Bool) = (false, false)
    for element in elements {
      switch element {
      case .bool(true): booleans.true = true
      case .bool(false): booleans.false = true
      case .number(let number): if !number.isNaN { numbers.append(number) }
      case .string(let text):
        let start = allText.count
        allText.append(contentsOf: text.utf8)
        ranges.append(start..<allText.count)
      case .null, .array, .object: break
      }
    }
    (hasTrue, hasFalse) = booleans
    numbers.sort()
    self.numbers = .allocate(capacity: numbers.count)
    _ = self.numbers.initialize(from: numbers)
    bytes = FixedBytes(allText)
    var capacity = 2
    while capacity < ranges.count * 2 { capacity *= 2 }
    texts = .allocate(capacity: capacity)
    texts.initialize(repeating: nil)
    for range in ranges {
      texts[place(of: UnsafeRawBufferPointer(rebasing: bytes.bytes[range]))] = range
    }
  }

  deinit {
    numbers.deallocate()
    texts.deallocate()
  }

  /// - Complexity: O(log n)
  func contains(_ number: Double) -> Bool {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = low + (high - low) / 2
      if numbers[middle] >= number { high = middle } else { low = middle + 1 }
    }
    return low < numbers.count && numbers[low] == number
  }

  /// - Complexity: O(size of the text) on average
  func contains(_ text: UnsafeRawBufferPointer) -> Bool { texts[place(of: text)] != nil }

  // MARK: -

  /// Where a text is in the table, or the free place where it would be.
  private func place(of text: UnsafeRawBufferPointer) -> Int {
    let mask = texts.count - 1
    var place = Int(truncatingIfNeeded: xxHash32(text)) & mask
    while let range = texts[place] {
      if equalBytes(UnsafeRawBufferPointer(rebasing: bytes.bytes[range]), text) { return place }
      place = (place + 1) & mask
    }
    return place
  }
}
