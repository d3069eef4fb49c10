import Testing
@_spi(Engine) import ZeroProtocol

@testable import ZeroIVM

@Suite("Prefixes of positions in an order")
struct OrderPrefixTests {
  private static let layout = RowLayout(
    table: "thing",
    columns: [.init("value", .json, optional: true), .init("id", .number)], primaryKey: ["id"])

  private static let values: [Value] =
    [.absent, .null, .bool(false), .bool(true)]
    + [
      -.infinity, -1e300, -2.5, -1, -0.0, 0, .leastNonzeroMagnitude, 0.1, 0.1 + 1e-17, 1, 1.5, 2, 3,
      1e15, 1e15 + 1,
    ]
    .map { .number($0) } + [.number(.infinity), .number(.nan)]
    + [
      "", "\u{0}", "a", "a\u{0}", "ab", "abcdefg", "abcdefgh", "abcdefgi", "abcdefghi", "abcdefgp",
    ]
    .map { .string($0) } + ["b", "é", "～wide", "🎉", "🎉🎉🎉"].map { .string($0) }
    + [.json(.array([])), .json(.object(["a": .null]))]

  @Test(
    "prefixes decide as comparing does, and leave to it what has no order",
    arguments: [false, true])
  func decisions(isDescending: Bool) {
    var builder = RowBuilder()
    let rows = Self.values.map { value in
      builder.begin(Self.layout)
      builder.set(0, value)
      builder.set(1, 1.0)
      return builder.finish()
    }
    var decided = 0
    for (i, a) in rows.enumerated() {
      for (j, b) in rows.enumerated() {
        let faults = Faults()
        let order = RowOrder(
          [.init(column: 0, isDescending: isDescending)], Self.layout, faults)
        let expected = order.compare(a, b)
        let (x, y) = (order.prefix(a.packedBase), order.prefix(b.packedBase))
        let prefixed = OrderPrefix.order(x, y)
        if faults.isRaised {
          #expect(prefixed == 0, "\(Self.values[i]) and \(Self.values[j]) have no order")
        } else if prefixed != 0 {
          decided += 1
          #expect(prefixed.signum() == expected.signum(), "\(Self.values[i]), \(Self.values[j])")
        } else if expected == 0 {
          #expect(x == y, "\(Self.values[i]), \(Self.values[j])")
        }
      }
    }
    #expect(decided > 500)
  }
}
