/// The host of an `http` URL in the form in which a WHATWG URL parser prints it.
enum URLHost {
  /// The host that `text` means; nil if it is none.
  static func parse(_ text: [UInt8]) -> String? {
    if text.first == UInt8(ascii: "[") {
      guard text.count > 2, text.last == UInt8(ascii: "]") else { return nil }
      return IPv6Address(text.dropFirst().dropLast()).map { "[\($0)]" }
    }
    guard let bytes = PercentEncoding.decode(text),
      let domain = asciiDomain(String(decoding: bytes, as: UTF8.self)), !domain.isEmpty,
      !domain.utf8.contains(where: isForbidden)
    else { return nil }
    guard endsInNumber(domain) else { return domain }
    return IPv4Address(domain).map { "\($0)" }
  }

  // MARK: -

  /// The domain in ASCII and lower case, its other labels in Punycode. Compatibility characters
  /// other than full-width ASCII are taken as they are.
  private static func asciiDomain(_ text: String) -> String? {
    var scalars: [Unicode.Scalar] = []
    for scalar in text.lowercased().unicodeScalars {
      switch scalar.value {
      case 0x3002, 0xFF0E, 0xFF61: scalars.append(".")
      case 0x00AD, 0x034F, 0x200B, 0x2060, 0xFE00...0xFE0F, 0xFEFF: continue
      case 0xFF01...0xFF5E:
        guard let ascii = Unicode.Scalar(scalar.value - 0xFEE0) else { return nil }
        scalars += ascii.properties.lowercaseMapping.unicodeScalars
      // Joiners are allowed only between certain letters; the replacement character never is.
      case 0x200C, 0x200D, 0xFFFD: return nil
      default: scalars.append(scalar)
      }
    }
    if !scalars.allSatisfy(\.isASCII) { scalars = composed(scalars) }
    var labels: [String] = []
    for label in scalars.split(separator: ".", omittingEmptySubsequences: false) {
      let label = Array(label)
      if label.allSatisfy(\.isASCII) {
        let ascii = label.map { UInt8(truncatingIfNeeded: $0.value) }
        guard isValid(asciiLabel: ascii) else { return nil }
        labels.append(String(decoding: ascii, as: UTF8.self))
      } else {
        guard label.allSatisfy(isAllowed), !label.starts(with: Array("xn--".unicodeScalars)),
          let encoded = Punycode.encode(label)
        else { return nil }
        labels.append("xn--" + encoded)
      }
    }
    return labels.joined(separator: ".")
  }

  /// A label that says it is in Punycode has to be, and to stand for something that needs it.
  private static func isValid(asciiLabel label: [UInt8]) -> Bool {
    guard label.starts(with: "xn--".utf8) else { return true }
    guard let decoded = Punycode.decode(label.dropFirst(4)) else { return false }
    return !decoded.allSatisfy(\.isASCII) && decoded.allSatisfy(isAllowed)
  }

  /// Whether a character may stand in a domain as it is.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .unassigned, .privateUse, .surrogate, .spaceSeparator, .lineSeparator,
      .paragraphSeparator:
      return false
    default:
      let mapping = scalar.properties.lowercaseMapping.unicodeScalars
      return mapping.count == 1 && mapping.first == scalar
    }
  }

  /// Letters with marks after them as single characters, where Latin, Greek and Cyrillic have one.
  private static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    for scalar in scalars {
      if let last = result.last, scalar.properties.canonicalCombiningClass != .notReordered,
        let single = single(last, scalar)
      {
        result[result.count - 1] = single
      } else {
        result.append(scalar)
      }
    }
    return result
  }

  private static func single(
    _ letter: Unicode.Scalar, _ mark: Unicode.Scalar
  ) -> Unicode.Scalar? {
    var pair = String.UnicodeScalarView()
    pair.append(letter)
    pair.append(mark)
    let wanted = String(pair)
    let places: [ClosedRange<UInt32>] = [0xC0...0x24F, 0x370...0x4FF, 0x1E00...0x1FFF]
    for value in places.joined() {
      if let scalar = Unicode.Scalar(value), String(scalar) == wanted { return scalar }
    }
    return nil
  }

  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == 0x7F || PercentEncoding.isAny(byte, of: "#/:<>?@[\\]^|%")
  }

  private static func endsInNumber(_ domain: String) -> Bool {
    var labels = domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    guard let last = labels.last, !last.isEmpty else { return false }
    let isDecimal = last.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    return isDecimal || IPv4Address.number(last) != nil
  }
}
