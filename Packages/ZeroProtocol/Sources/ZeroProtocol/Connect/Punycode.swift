/// Labels of domain names in ASCII (RFC 3492), without the prefix `xn--`.
enum Punycode {
  private static let base = 36
  private static let firstBias = 72
  private static let firstCode = 128

  static func encode(_ label: [Unicode.Scalar]) -> String? {
    var output = label.filter(\.isASCII).map { UInt8(truncatingIfNeeded: $0.value) }
    let basicCount = output.count
    var handled = basicCount
    if basicCount > 0 { output.append(UInt8(ascii: "-")) }
    var code = firstCode
    var delta = 0
    var bias = firstBias
    while handled < label.count {
      guard let next = label.lazy.map({ Int($0.value) }).filter({ $0 >= code }).min() else {
        return nil
      }
      let (step, overflows) = (next - code).multipliedReportingOverflow(by: handled + 1)
      guard !overflows, delta < Int.max - step else { return nil }
      delta += step
      code = next
      for scalar in label {
        let value = Int(scalar.value)
        if value < code { delta += 1 }
        guard value == code else { continue }
        var rest = delta
        var position = base
        while true {
          let threshold = threshold(position, bias)
          guard rest >= threshold else { break }
          output.append(digit(threshold + (rest - threshold) % (base - threshold)))
          rest = (rest - threshold) / (base - threshold)
          position += base
        }
        output.append(digit(rest))
        bias = adapt(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      code += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  static func decode(_ label: some BidirectionalCollection<UInt8>) -> [Unicode.Scalar]? {
    let label = Array(label)
    var output: [Unicode.Scalar] = []
    var place = 0
    if let separator = label.lastIndex(of: UInt8(ascii: "-")) {
      output = label[..<separator].map { Unicode.Scalar($0) }
      place = separator + 1
    }
    guard output.allSatisfy(\.isASCII) else { return nil }
    var code = firstCode
    var index = 0
    var bias = firstBias
    while place < label.count {
      let start = index
      var weight = 1
      var position = base
      while true {
        guard place < label.count, let digit = value(of: label[place]) else { return nil }
        place += 1
        let (step, stepOverflows) = digit.multipliedReportingOverflow(by: weight)
        guard !stepOverflows, index < Int.max - step else { return nil }
        index += step
        let threshold = threshold(position, bias)
        if digit < threshold { break }
        let (wider, overflows) = weight.multipliedReportingOverflow(by: base - threshold)
        guard !overflows else { return nil }
        weight = wider
        position += base
      }
      let count = output.count + 1
      bias = adapt(index - start, count: count, isFirst: start == 0)
      let (value, overflows) = code.addingReportingOverflow(index / count)
      guard !overflows, let value = UInt32(exactly: value), let scalar = Unicode.Scalar(value)
      else { return nil }
      code = Int(value)
      index %= count
      output.insert(scalar, at: index)
      index += 1
    }
    return output
  }

  // MARK: -

  private static func threshold(_ position: Int, _ bias: Int) -> Int {
    min(max(position - bias, 1), 26)
  }

  private static func adapt(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var bias = 0
    while delta > (base - 1) * 26 / 2 {
      delta /= base - 1
      bias += base
    }
    return bias + base * delta / (delta + 38)
  }

  private static func digit(_ value: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: value < 26 ? 97 + value : 22 + value)
  }

  private static func value(of digit: UInt8) -> Int? {
    switch digit {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 26
    default: nil
    }
  }
}
