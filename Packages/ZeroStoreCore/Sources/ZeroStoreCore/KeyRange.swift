/// The keys a prefix scan visits, as a half-open range of byte strings.
public struct KeyRange {
  /// The first key that may be visited; may be empty.
  public let lower: [UInt8]
  /// The first key past the range, or nil if the range ends with the table.
  public let upper: [UInt8]?

  /// The keys that start with `prefix`, beginning after `after` if it is given.
  public init(prefix: RawSpan, after: RawSpan? = nil) {
    let prefixBytes = prefix.withUnsafeBytes { Array($0) }
    var lower = prefixBytes
    if let after {
      let afterBytes = after.withUnsafeBytes { Array($0) }
      // The successor of a byte string in byte order is the string with a zero byte behind it.
      if !afterBytes.lexicographicallyPrecedes(prefixBytes) { lower = afterBytes + [0] }
    }
    self.lower = lower
    upper = Self.end(ofPrefix: prefixBytes)
  }

  /// The smallest byte string above all that start with `prefix`, or nil if there is none.
  private static func end(ofPrefix prefix: [UInt8]) -> [UInt8]? {
    guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
    var end = Array(prefix[...last])
    end[last] += 1
    return end
  }
}
