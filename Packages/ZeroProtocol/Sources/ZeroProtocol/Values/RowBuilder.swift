/// Fills the columns of a row, in any order, and makes the row in one allocation.
///
/// One builder serves any number of rows of any layouts; it keeps its scratch memory.
public struct RowBuilder: ~Copyable {
  /// What a column is set to until the row is made.
  private struct Slot {
    enum Place: UInt8 {
      /// `bits` holds the bytes themselves.
      case inline
      /// `bits` is an offset in the scratch memory.
      case scratch
      /// `bits` is the address of memory that the caller keeps alive.
      case lent
    }

    var bits: UInt64
    var count: UInt32
    var tag: Row.Tag
    var place: Place

    static let absent = Slot(bits: 0, count: 0, tag: .absent, place: .inline)
  }

  private var layout: RowLayout?
  private var slots: UnsafeMutablePointer<Slot>?
  private var columnCount = 0
  private var capacity = 0
  private var scratch = ByteBuffer()

  public init() {}

  deinit { slots?.deallocate() }

  /// Starts a row of `layout` with every column absent.
  public mutating func begin(_ layout: RowLayout) {
    if self.layout !== layout { self.layout = layout }
    columnCount = layout.columnCount
    scratch.removeAll()
    if columnCount > capacity || slots == nil {
      slots?.deallocate()
      capacity = max(columnCount, 16)
      slots = .allocate(capacity: capacity)
    }
    slots.unsafelyUnwrapped.initialize(repeating: .absent, count: columnCount)
  }

  /// Sets column `i` to null. Setting it again replaces the value.
  public mutating func set(_ i: Int, null: Void) { put(i, .null, 0, 0) }

  /// Sets column `i` to a boolean.
  public mutating func set(_ i: Int, _ value: Bool) { put(i, value ? .true : .false, 0, 0) }

  @inline(__always)
  mutating func set(_ i: Int, _ value: Int32) {
    put(i, .integer, UInt64(UInt32(bitPattern: value)), 4)
  }

  /// Sets column `i` to a number; one that is not finite is kept as it is.
  public mutating func set(_ i: Int, _ value: Double) {
    if let integer = Int32(exactly: value), integer != 0 || value.sign == .plus {
      set(i, integer)
    } else {
      put(i, .double, value.bitPattern, 8)
    }
  }

  /// Sets column `i` to text given as valid UTF-8.
  public mutating func set(_ i: Int, utf8: UnsafeRawBufferPointer) { copy(i, .string, utf8) }

  /// Sets column `i` to text.
  public mutating func set(_ i: Int, _ value: String) {
    var value = value
    value.withUTF8 { set(i, utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Sets column `i` to an array or object given as JSON text, which must be valid. What is no JSON, or
  /// nested deeper than ``JSONLimits/standard`` allows, reads as null.
  public mutating func set(_ i: Int, json text: UnsafeRawBufferPointer) { copy(i, .json, text) }

  /// Sets column `i` to `value`; absent makes it absent again.
  public mutating func set(_ i: Int, _ value: Value) {
    switch value {
    case .absent: put(i, .absent, 0, 0)
    case .null: put(i, .null, 0, 0)
    case .bool(let value): set(i, value)
    case .number(let value): set(i, value)
    case .string(let value): set(i, value)
    case .json(let value): set(i, value)
    }
  }

  /// Sets column `i` to a JSON value: scalars as themselves, arrays and objects as text.
  public mutating func set(_ i: Int, _ value: JSONValue) {
    switch value {
    case .null: put(i, .null, 0, 0)
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
    copy(i, row.tag(i), row.storage.bytes(i))
  }

  /// Turns the columns still absent into null, as for a row that a mutator inserts.
  public mutating func nullifyAbsent() {
    guard let slots else { return }
    for i in 0..<columnCount where slots[i].tag == .absent { slots[i].tag = .null }
  }

  /// The row. The builder can `begin` the next one.
  public mutating func finish() -> Row {
    guard let layout, let slots else { preconditionFailure("finish without begin") }
    let count = columnCount
    var valueBytes = 0
    for i in 0..<count { valueBytes += Int(slots[i].count) }
    precondition(valueBytes <= Int(UInt32.max), "a row holds less than 4 GiB")
    let isWide = valueBytes > Int(UInt16.max)
    let head = 1 + count * (isWide ? 5 : 3)
    let buffer = RowStorage.create(minimumCapacity: head + valueBytes) { _ in RowHeader(layout) }
    let storage = unsafeDowncast(buffer, to: RowStorage.self)
    storage.withUnsafeMutablePointerToElements { elements in
      let base = UnsafeMutableRawPointer(elements)
      base.storeBytes(of: isWide ? 1 : 0, as: UInt8.self)
      let ends = base + 1 + count
      let values = base + head
      var end = 0
      for i in 0..<count {
        let slot = slots[i]
        base.storeBytes(of: slot.tag.rawValue, toByteOffset: 1 + i, as: UInt8.self)
        write(slot, to: values + end)
        end += Int(slot.count)
        if isWide {
          ends.storeBytes(of: UInt32(truncatingIfNeeded: end), toByteOffset: i * 4, as: UInt32.self)
        } else {
          ends.storeBytes(
            of: UInt16(truncatingIfNeeded: end), toByteOffset: i * 2, as: UInt16.self)
        }
      }
    }
    return Row(storage: storage)
  }

  // MARK: -

  /// Sets column `i` to text or JSON text that stays alive and unchanged until `finish`.
  @inline(__always)
  mutating func lend(_ i: Int, _ tag: Row.Tag, _ bytes: UnsafeRawBufferPointer) {
    precondition(i >= 0 && i < columnCount, "column index out of range")
    slots.unsafelyUnwrapped[i] = Slot(
      bits: UInt64(UInt(bitPattern: bytes.baseAddress)),
      count: UInt32(bytes.count), tag: tag, place: .lent)
  }

  @inline(__always)
  private mutating func put(_ i: Int, _ tag: Row.Tag, _ bits: UInt64, _ count: UInt32) {
    precondition(i >= 0 && i < columnCount, "column index out of range")
    slots.unsafelyUnwrapped[i] = Slot(bits: bits, count: count, tag: tag, place: .inline)
  }

  private mutating func copy(_ i: Int, _ tag: Row.Tag, _ bytes: UnsafeRawBufferPointer) {
    precondition(i >= 0 && i < columnCount, "column index out of range")
    slots.unsafelyUnwrapped[i] = Slot(
      bits: UInt64(scratch.count), count: UInt32(bytes.count), tag: tag, place: .scratch)
    scratch.append(bytes)
  }

  @inline(__always)
  private func write(_ slot: Slot, to target: UnsafeMutableRawPointer) {
    let source: UnsafeRawPointer?
    switch slot.place {
    case .inline:
      if slot.count == 4 {
        target.storeBytes(of: UInt32(truncatingIfNeeded: slot.bits), as: UInt32.self)
      } else if slot.count == 8 {
        target.storeBytes(of: slot.bits, as: UInt64.self)
      }
      return
    case .scratch: source = scratch.bytes.baseAddress.map { $0 + Int(slot.bits) }
    case .lent: source = UnsafeRawPointer(bitPattern: UInt(slot.bits))
    }
    if let source, slot.count > 0 { copyBytes(source, to: target, count: Int(slot.count)) }
  }
}

/// Copies at least one byte. Short texts, which most are, take two overlapping moves each.
@inline(__always)
private func copyBytes(
  _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int
) {
  if count > 16 {
    target.copyMemory(from: source, byteCount: count)
  } else if count >= 8 {
    let last = source.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
    target.storeBytes(of: last, toByteOffset: count - 8, as: UInt64.self)
  } else if count >= 4 {
    let last = source.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
    target.storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
    target.storeBytes(of: last, toByteOffset: count - 4, as: UInt32.self)
  } else {
    for i in 0..<count {
      target.storeBytes(
        of: source.load(fromByteOffset: i, as: UInt8.self), toByteOffset: i, as: UInt8.self)
    }
  }
}
