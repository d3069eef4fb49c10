@_spi(Engine) import ZeroProtocol

/// The beginning of a row's position in an order, by which most comparisons are decided without
/// looking at the rows: their blocks are all over the memory.
///
/// Made of the column that decides first. Of two rows the one that comes first has the smaller prefix or
/// an equal one.
struct OrderPrefix: Equatable {
  /// The rank of the value's type in the highest three bits and the beginning of the value in the rest,
  /// both turned round if the column is descending.
  let bits: UInt64

  /// A prefix that decides nothing among equal ones.
  static let none = OrderPrefix(bits: 0)

  init(bits: UInt64) { self.bits = bits }

  init(_ view: ColumnView, isDescending: Bool) {
    let ascending = Self.ascendingBits(view)
    bits = isDescending ? ~ascending : ascending
  }

  /// Negative or positive if prefixes decide; else zero, and the rows have to be compared.
  ///
  /// Values of different types are not decided, so that comparing them is reported; only null has an
  /// order with all others.
  @inline(__always)
  static func order(_ a: OrderPrefix, _ b: OrderPrefix) -> Int {
    if a.bits == b.bits { return 0 }
    if (a.bits ^ b.bits) >> 61 != 0, !a.isNull, !b.isNull { return 0 }
    return a.bits < b.bits ? -1 : 1
  }

  // MARK: -

  /// The rank of null is 0, and 7 when it is turned round. The others are 1 to 4, and 6 to 3.
  private var isNull: Bool { (bits >> 61 + 1) & 7 < 2 }

  private static func ascendingBits(_ view: ColumnView) -> UInt64 {
    switch view.tag {
    case ColumnView.Tag.false: return 1 << 61
    case ColumnView.Tag.true: return 1 << 61 | 1
    case ColumnView.Tag.integer, ColumnView.Tag.double:
      let number = view.number
      // What is no number comes before all numbers.
      if number.isNaN { return 2 << 61 }
      // Adding zero makes the negative zero positive.
      let pattern = (number + 0).bitPattern
      return 2 << 61 | (pattern >> 63 == 0 ? pattern | 1 << 63 : ~pattern) >> 3
    case ColumnView.Tag.string:
      let text = view.bytes
      var word: UInt64 = 0
      if text.count >= 8 {
        word = UInt64(bigEndian: text.loadUnaligned(as: UInt64.self))
      } else {
        for place in 0..<text.count { word |= UInt64(text[place]) << (56 - 8 * place) }
      }
      return 3 << 61 | word >> 3
    case ColumnView.Tag.json: return 4 << 61
    default: return 0
    }
  }
}

extension RowOrder {
  @inline(__always)
  func prefix(_ row: UnsafeRawPointer) -> OrderPrefix {
    guard let part = parts.first else { return .none }
    return OrderPrefix(
      ColumnView(row, columnCount, part.column), isDescending: part.isDescending)
  }
}
