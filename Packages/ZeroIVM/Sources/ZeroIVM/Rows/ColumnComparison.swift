@_spi(Engine) import ZeroProtocol

/// The two notions of sameness that ordered data and joins use.
enum ColumnComparison {
  /// Ordering comparison: null and absent are equal and come first, text goes by UTF-8 bytes, minus
  /// zero equals zero.
  ///
  /// Values that have no order are reported to `faults` and then ordered by type, or JSON by its
  /// text, so that sorted data stays sorted whatever it holds.
  @inline(__always)
  static func order(_ a: ColumnView, _ b: ColumnView, _ faults: Faults) -> Int {
    let (tagA, tagB) = (a.tag, b.tag)
    if tagA == tagB {
      if tagA == ColumnView.Tag.string { return a.bytes.order(b.bytes) }
      if tagA == ColumnView.Tag.integer {
        let x = a.bytes.loadUnaligned(as: Int32.self)
        let y = b.bytes.loadUnaligned(as: Int32.self)
        return x < y ? -1 : x == y ? 0 : 1
      }
      if tagA == ColumnView.Tag.double {
        let x = a.bytes.loadUnaligned(as: Double.self)
        let y = b.bytes.loadUnaligned(as: Double.self)
        if x < y { return -1 }
        if x > y { return 1 }
        // Equal, or one is no number.
      }
    }
    return orderMixed(a, b, faults)
  }

  /// Join equality: null and absent equal nothing, JSON values neither.
  @inline(__always)
  static func joins(_ a: ColumnView, _ b: ColumnView) -> Bool {
    let (tagA, tagB) = (a.tag, b.tag)
    if tagA == ColumnView.Tag.string {
      guard tagB == tagA else { return false }
      let (x, y) = (a.bytes, b.bytes)
      return x.count == y.count && x.order(y) == 0
    }
    switch tagA {
    case ColumnView.Tag.false, ColumnView.Tag.true: return tagA == tagB
    case ColumnView.Tag.integer, ColumnView.Tag.double:
      guard tagB == ColumnView.Tag.integer || tagB == ColumnView.Tag.double else { return false }
      return a.number == b.number
    default: return false
    }
  }

  // MARK: -

  @inline(never)
  private static func orderMixed(_ a: ColumnView, _ b: ColumnView, _ faults: Faults) -> Int {
    let (rankA, rankB) = (rank(a.tag), rank(b.tag))
    if rankA != rankB {
      if rankA != 0, rankB != 0 { faults.raise(.compareTypes(a, b)) }
      return rankA - rankB
    }
    switch rankA {
    case 0: return 0
    case 1: return Int(a.tag) - Int(b.tag)
    case 2:
      let (x, y) = (a.number, b.number)
      // NaN cannot come from JSON; it gets a place of its own all the same.
      if x.isNaN || y.isNaN { return (x.isNaN ? 0 : 1) - (y.isNaN ? 0 : 1) }
      return x < y ? -1 : x == y ? 0 : 1
    case 3: return a.bytes.order(b.bytes)
    default:
      if a.base == b.base { return 0 }
      faults.raise(.compareUnsupported)
      return a.bytes.order(b.bytes)
    }
  }

  private static func rank(_ tag: UInt8) -> Int {
    switch tag {
    case ColumnView.Tag.false, ColumnView.Tag.true: 1
    case ColumnView.Tag.integer, ColumnView.Tag.double: 2
    case ColumnView.Tag.string: 3
    case ColumnView.Tag.json: 4
    default: 0
    }
  }
}
