/// The list of an `IN`, arranged for lookups that allocate nothing.
struct PredicateList: Sendable {
  private(set) var hasTrue = false
  private(set) var hasFalse = false
  /// Ascending, without NaN.
  private var numbers: [Double] = []
  /// Ascending by bytes.
  private var texts: [[UInt8]] = []

  init(_ elements: [JSONValue]) {
    for element in elements {
      switch element {
      case .bool(true): hasTrue = true
      case .bool(false): hasFalse = true
      case .number(let number): if !number.isNaN { numbers.append(number) }
      case .string(let text): texts.append(Array(text.utf8))
      case .null, .array, .object: break
      }
    }
    numbers.sort()
    texts.sort { $0.lexicographicallyPrecedes($1) }
  }

  /// - Complexity: O(log n)
  func contains(_ number: Double) -> Bool {
    let place = numbers.firstPlace { $0 >= number }
    return place < numbers.count && numbers[place] == number
  }

  /// - Complexity: O(log n) comparisons
  func contains(_ text: UnsafeRawBufferPointer) -> Bool {
    let place = texts.firstPlace { $0.order(with: text) >= 0 }
    return place < texts.count && texts[place].order(with: text) == 0
  }
}

extension Array where Element == UInt8 {
  /// The order of this text and another, as UTF-8.
  func order(with other: UnsafeRawBufferPointer) -> Int {
    withUnsafeBytes { TextOrder.bytes($0, other) }
  }
}

extension Array {
  /// The first place from which on `isPast` holds, given that it holds to the end from there.
  fileprivate func firstPlace(where isPast: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if isPast(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
