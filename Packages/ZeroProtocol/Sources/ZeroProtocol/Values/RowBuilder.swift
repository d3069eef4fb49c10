/// Fills the columns of a row, in any order, and makes the row in one allocation.
///
/// One builder serves any number of rows of any layouts; it keeps its scratch memory.
public struct RowBuilder: ~Copyable {
  private var layout: RowLayout?
  private var tags: [Row.Tag] = []
  private var ranges: [(start: Int, end: Int)] = []
  private var scratch: [UInt8] = []

  public init() {}

  /// Starts a row of `layout` with every column absent.
  public mutating func begin(_ layout: RowLayout) {
    self.layout = layout
    scratch.removeAll(keepingCapacity: true)
    tags.removeAll(keepingCapacity: true)
    ranges.removeAll(keepingCapacity: true)
    for _ in layout.columns {
      tags.append(.absent)
      ranges.append((0, 0))
    }
  }

  /// Sets column `i`. Setting it again replaces the value.
  public mutating func set(_ i: Int, null: Void) { put(i, .null, 0) }

  public mutating func set(_ i: Int, _ value: Bool) { put(i, value ? .true : .false, 0) }

  public mutating func set(_ i: Int, _ value: Double) {
    if let integer = Int32(exactly: value), integer != 0 || value.sign == .plus {
      withUnsafeBytes(of: integer) { scratch.append(contentsOf: $0) }
      put(i, .integer, 4)
    } else {
      withUnsafeBytes(of: value) { scratch.append(contentsOf: $0) }
      put(i, .double, 8)
    }
  }

  /// Sets column `i` to text given as valid UTF-8.
  public mutating func set(_ i: Int, utf8: UnsafeRawBufferPointer) {
    scratch.append(contentsOf: utf8)
    put(i, .string, utf8.count)
  }

  public mutating func set(_ i: Int, _ value: String) {
    var value = value
    value.withUTF8 { set(i, utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Sets column `i` to an array or object given as JSON text.
  public mutating func set(_ i: Int, json text: UnsafeRawBufferPointer) {
    scratch.append(contentsOf: text)
    put(i, .json, text.count)
  }

  /// Sets column `i` to `value`; absent makes it absent again.
  public mutating func set(_ i: Int, _ value: Value) {
    switch value {
    case .absent: put(i, .absent, 0)
    case .null: put(i, .null, 0)
    case .bool(let value): set(i, value)
    case .number(let value): set(i, value)
    case .string(let value): set(i, value)
    case .json(let value): set(i, value)
    }
  }

  /// Sets column `i` to a JSON value: scalars as themselves, arrays and objects as text.
  public mutating func set(_ i: Int, _ value: JSONValue) {
    switch value {
    case .null: put(i, .null, 0)
    case .bool(let value): set(i, value)
    case .number(let value): set(i, value)
    case .string(let value): set(i, value)
    case .array, .object:
      value.jsonText.withUnsafeBytes { set(i, json: $0) }
    }
  }

  /// Takes column `i` from a row of the same layout.
  public mutating func set(_ i: Int, from row: Row) {
    precondition(row.layout === layout, "a column is copied between rows of one layout")
    let bytes = row.storage.bytes(i)
    scratch.append(contentsOf: bytes)
    put(i, row.tag(i), bytes.count)
  }

  /// Turns the columns still absent into null, as for a row that a mutator inserts.
  public mutating func nullifyAbsent() {
    for i in tags.indices where tags[i] == .absent { tags[i] = .null }
  }

  /// The row. The builder can `begin` the next one.
  public mutating func finish() -> Row {
    guard let layout else { preconditionFailure("finish without begin") }
    let count = tags.count
    let valueBytes = ranges.reduce(0) { $0 + $1.end - $1.start }
    let isNarrow = valueBytes <= Int(UInt16.max)
    let head = 1 + count + count * (isNarrow ? 2 : 4)
    let buffer = RowStorage.create(minimumCapacity: head + valueBytes) { _ in layout }
    let storage = unsafeDowncast(buffer, to: RowStorage.self)
    storage.withUnsafeMutablePointerToElements { elements in
      let base = UnsafeMutableRawPointer(elements)
      base.storeBytes(of: isNarrow ? 0 : 1, as: UInt8.self)
      var end = 0
      scratch.withUnsafeBytes { scratch in
        for i in 0..<count {
          base.storeBytes(of: tags[i].rawValue, toByteOffset: 1 + i, as: UInt8.self)
          let (from, to) = ranges[i]
          if to > from, let source = scratch.baseAddress {
            (base + head + end).copyMemory(from: source + from, byteCount: to - from)
            end += to - from
          }
          let place = 1 + count
          if isNarrow {
            base.storeBytes(of: UInt16(end), toByteOffset: place + i * 2, as: UInt16.self)
          } else {
            base.storeBytes(of: UInt32(end), toByteOffset: place + i * 4, as: UInt32.self)
          }
        }
      }
    }
    return Row(storage: storage)
  }

  // MARK: -

  /// Column `i` now has `tag` and the last `count` bytes of the scratch memory.
  private mutating func put(_ i: Int, _ tag: Row.Tag, _ count: Int) {
    tags[i] = tag
    ranges[i] = (scratch.count - count, scratch.count)
  }
}
