import Testing
import ZeroProtocol

@Suite struct RowTests {
  static let layout = RowLayout(
    table: "t",
    columns: (0..<8).map { ColumnDescriptor("c\($0)", server: "s\($0)", .json, optional: true) },
    primaryKey: ["c0"])

  static let values: [Value] = [
    .absent, .null, .bool(false), .bool(true), .number(0), .number(-1), .number(2_147_483_647),
    .number(-2_147_483_648), .number(2_147_483_648), .number(0.5), .number(-1e300), .string(""),
    .string("a"), .string("abcd"), .string("abcdefg"), .string("abcdefgh"),
    .string("abcdefghijklmnop"), .string("abcdefghijklmnopq"), .string("é\u{0}😀"),
    .json(.array([.number(1), .null])), .json(.object(["b": .number(1), "a": .array([])])),
  ]

  func row(_ values: [Value], order: [Int]? = nil) -> Row {
    var builder = RowBuilder()
    builder.begin(Self.layout)
    for i in order ?? Array(values.indices) { builder.set(i, values[i]) }
    return builder.finish()
  }

  @Test("every value comes back from every column, whatever the order of setting")
  func roundTrip() {
    for (n, value) in Self.values.enumerated() {
      for column in 0..<8 {
        var values = [Value](repeating: .absent, count: 8)
        values[column] = value
        values[(column + 3) % 8] = Self.values[(n + 5) % Self.values.count]
        let forward = row(values)
        let backward = row(values, order: (0..<8).reversed())
        for i in 0..<8 {
          #expect(forward[i] == values[i], "value \(n) in column \(column), read \(i)")
          #expect(backward[i] == values[i], "value \(n) in column \(column), set backwards")
        }
        #expect(forward == backward)
      }
    }
  }

  @Test("a column that is set twice has the second value")
  func setTwice() {
    var builder = RowBuilder()
    builder.begin(Self.layout)
    builder.set(0, "first, which is long enough for the heap")
    builder.set(1, true)
    builder.set(0, 7)
    builder.set(1, Value.absent)
    let row = builder.finish()
    #expect(row[0] == .number(7))
    #expect(row[1] == .absent)
    #expect(row.tag(1) == .absent)
  }

  @Test("a builder starts each row with nothing of the one before")
  func reuse() {
    var builder = RowBuilder()
    builder.begin(Self.layout)
    for i in 0..<8 { builder.set(i, "text \(i)") }
    let first = builder.finish()
    let wide = RowLayout(
      table: "wide", columns: (0..<40).map { ColumnDescriptor("c\($0)", .string) }, primaryKey: [])
    builder.begin(wide)
    builder.set(39, "last")
    let second = builder.finish()
    #expect(first[7] == .string("text 7"))
    #expect(second[0] == .absent)
    #expect(second[39] == .string("last"))
  }

  @Test("values beyond 65,535 bytes use wide ends", arguments: [65_535, 65_536, 200_000])
  func wide(count: Int) {
    let text = String(repeating: "x", count: count)
    let row = row([
      .number(1), .string(text), .null, .string("é"), .number(2.5), .bool(true), .absent, .null,
    ])
    #expect(row[0] == .number(1))
    #expect(row[1] == .string(text))
    #expect(row[3] == .string("é"))
    #expect(row[4] == .number(2.5))
    #expect(row[5] == .bool(true))
    #expect(row[6] == .absent)
  }

  @Test("a row without columns is possible")
  func noColumns() {
    let layout = RowLayout(table: "none", columns: [], primaryKey: [])
    var builder = RowBuilder()
    builder.begin(layout)
    let a = builder.finish()
    builder.begin(layout)
    let b = builder.finish()
    #expect(a == b)
    #expect(!(a === b))
  }

  @Test("a column copied from a row keeps tag and bytes")
  func copyColumn() {
    let source = row(Array(Self.values[13..<21]))
    var builder = RowBuilder()
    builder.begin(Self.layout)
    for i in (0..<8).reversed() { builder.set(i, from: source) }
    let copy = builder.finish()
    #expect(copy == source)
    #expect((0..<8).allSatisfy { Row.isSame(copy, source, $0) })
  }

  @Test("absent becomes null on request and nothing else does")
  func nullify() {
    var builder = RowBuilder()
    builder.begin(Self.layout)
    builder.set(2, false)
    builder.nullifyAbsent()
    let row = builder.finish()
    #expect(row[0] == .null)
    #expect(row[2] == .bool(false))
    #expect(row[7] == .null)
  }

  @Test("minus zero keeps its sign and equals zero")
  func minusZero() {
    let minus = row([.number(-0.0)])
    let zero = row([.number(0)])
    guard case .number(let value) = minus[0] else {
      Issue.record("no number")
      return
    }
    #expect(value.sign == .minus)
    #expect(minus == zero)
    #expect(Row.isSame(minus, zero, 0))
    #expect(Row.joinEqual(minus, 0, zero, 0))
  }

  @Test("rows with JSON of other spelling are equal, absent and null are not")
  func equality() {
    var builder = RowBuilder()
    builder.begin(Self.layout)
    Array("[1, 2.0]".utf8).withUnsafeBytes { builder.set(0, json: $0) }
    let spaced = builder.finish()
    #expect(spaced == row([.json(.array([.number(1), .number(2)]))]))
    #expect(row([.absent]) != row([.null]))
    #expect(row([.string("e\u{301}")]) != row([.string("é")]))
  }

  @Test("comparing packed columns agrees with comparing the values")
  func packedComparison() {
    for a in Self.values {
      for b in Self.values {
        let x = row([a])
        let y = row([.null, b])
        let expected = Result { () throws(ValueComparisonError) in try Value.compare(a, b) }
        #expect(
          Result { () throws(ValueComparisonError) in try Row.compare(x, 0, y, 1) } == expected)
        #expect(Result { () throws(ValueComparisonError) in try x.compare(0, to: b) } == expected)
        #expect(Row.joinEqual(x, 0, y, 1) == Value.joinEqual(a, b))
        #expect(x.joinEqual(0, to: b) == Value.joinEqual(a, b))
      }
    }
  }

  @Test("a JSON value compares only with itself")
  func jsonIdentity() throws {
    let json = Value.json(.array([]))
    let a = row([json, json])
    #expect(try Row.compare(a, 0, a, 0) == 0)
    #expect(Row.joinEqual(a, 0, a, 0))
    #expect(!Row.joinEqual(a, 0, a, 1))
    #expect(throws: ValueComparisonError(.json, .json)) { try Row.compare(a, 0, a, 1) }
    #expect(throws: ValueComparisonError(.json, .json)) { try Row.compare(a, 0, row([json]), 0) }
  }
}
