/// An address of four bytes, printed in decimal.
struct IPv4Address: CustomStringConvertible {
  let value: UInt32

  /// Takes one to four decimal, octal or hexadecimal numbers, the last of which fills all bytes that
  /// are left.
  init?(_ text: String) {
    var parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    guard parts.count <= 4 else { return nil }
    var value: UInt64 = 0
    for (index, part) in parts.enumerated() {
      guard let number = Self.number(part) else { return nil }
      let isLast = index == parts.count - 1
      let bytes = UInt64(isLast ? 4 - index : 1)
      guard number < 1 << (8 * bytes) else { return nil }
      value = value << (8 * bytes) | number
    }
    self.value = UInt32(truncatingIfNeeded: value)
  }

  /// A number as it stands in an address; nil if it is none. Too large ones are 2^63.
  static func number(_ text: some Collection<UInt8>) -> UInt64? {
    var digits = Array(text)
    guard !digits.isEmpty else { return nil }
    var radix: UInt64 = 10
    if digits.count >= 2, digits[0] == UInt8(ascii: "0") {
      if digits[1] | 0x20 == UInt8(ascii: "x") {
        radix = 16
        digits.removeFirst(2)
      } else {
        radix = 8
        digits.removeFirst()
      }
    }
    var value: UInt64 = 0
    for digit in digits {
      guard let digit = PercentEncoding.hexadecimalDigit(digit), digit < radix else { return nil }
      value = value < 1 << 40 ? value * radix + UInt64(digit) : 1 << 63
    }
    return value
  }

  var description: String {
    (0..<4).map { String(value >> UInt32(24 - 8 * $0) & 255) }.joined(separator: ".")
  }
}

/// An address of eight pieces, printed in hexadecimal with the longest run of zeros left out.
struct IPv6Address: CustomStringConvertible {
  private var pieces: [UInt16]

  init?(_ text: some Collection<UInt8>) {
    var text = Array(text)
    guard !text.isEmpty else { return nil }
    var tail: [UInt16] = []
    if text.contains(UInt8(ascii: ".")) {
      guard let colon = text.lastIndex(of: UInt8(ascii: ":")),
        let address = Self.embedded(text[(colon + 1)...])
      else { return nil }
      tail = [UInt16(truncatingIfNeeded: address >> 16), UInt16(truncatingIfNeeded: address)]
      text = Array(text[...colon])
      // The colon before the address separates; of two, the second belongs to the gap.
      if !text.dropLast().hasSuffix(":") { text.removeLast() }
      guard !text.isEmpty else { return nil }
    }
    var head: [UInt16]
    if let gap = text.indices.dropLast().first(where: {
      text[$0] == UInt8(ascii: ":") && text[$0 + 1] == UInt8(ascii: ":")
    }) {
      guard let before = Self.pieces(text[..<gap]), let after = Self.pieces(text[(gap + 2)...])
      else { return nil }
      head = before
      tail = after + tail
      guard head.count + tail.count <= 7 else { return nil }
      head += Array(repeating: 0, count: 8 - head.count - tail.count)
    } else {
      guard let all = Self.pieces(text[...]) else { return nil }
      head = all
    }
    pieces = head + tail
    guard pieces.count == 8 else { return nil }
  }

  var description: String {
    var longest = 0..<0
    var place = 0
    while place < 8 {
      var end = place
      while end < 8, pieces[end] == 0 { end += 1 }
      if end - place > max(longest.count, 1) { longest = place..<end }
      place = max(end, place + 1)
    }
    func text(_ range: Range<Int>) -> String {
      range.map { String(pieces[$0], radix: 16) }.joined(separator: ":")
    }
    guard !longest.isEmpty else { return text(0..<8) }
    return "\(text(0..<longest.lowerBound))::\(text(longest.upperBound..<8))"
  }

  // MARK: -

  private static func pieces(_ text: ArraySlice<UInt8>) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    var pieces: [UInt16] = []
    for piece in text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
      guard (1...4).contains(piece.count), pieces.count < 8 else { return nil }
      var value: UInt16 = 0
      for digit in piece {
        guard let digit = PercentEncoding.hexadecimalDigit(digit) else { return nil }
        value = value << 4 | UInt16(digit)
      }
      pieces.append(value)
    }
    return pieces
  }

  /// An address of four decimal numbers without superfluous zeros at the end of this one.
  private static func embedded(_ text: ArraySlice<UInt8>) -> UInt32? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var value: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0"),
        part.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
      else { return nil }
      let number = part.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - UInt8(ascii: "0")) }
      guard number < 256 else { return nil }
      value = value << 8 | number
    }
    return value
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  fileprivate func hasSuffix(_ letter: Unicode.Scalar) -> Bool {
    last.map { UInt32($0) == letter.value } ?? false
  }
}
