/// A page of a tree in a mapped SQLite file, with bounds that lie within it.
struct SQLiteTreePage {
  /// What a page says about itself.
  enum Kind: UInt8 {
    case indexInner = 2
    case tableInner = 5
    case indexLeaf = 10
    case tableLeaf = 13

    var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
    /// Of an index, or of a table that is its own.
    var isIndex: Bool { self == .indexInner || self == .indexLeaf }
  }

  /// An entry, with bounds that lie within its page.
  struct Cell {
    let offset: Int
    let byteCount: Int
    /// The page of what is left of it, in an inner page.
    let child: Int
    let rowID: Int64
    /// Bytes of the whole payload, and where in the page its beginning lies.
    let payloadBytes: Int
    let payload: Range<Int>
    /// The first page of the rest of the payload; 0 if there is none.
    let overflow: Int
  }

  let number: Int
  let kind: Kind
  let cellCount: Int

  private let start: UnsafeRawPointer
  private let usable: Int
  /// Where the page's own header lies: behind the file's on the first page.
  private let header: Int
  /// Where the offsets of the cells lie, and where the cells begin.
  private let offsets: Int
  private let content: Int
  /// The longest payload that lies in the page as a whole.
  private let mostLocalBytes: Int

  /// - Parameter start: of as many bytes as a page has, the first `usable` of which count.
  init(number: Int, start: UnsafeRawPointer, usable: Int) throws(SQLitePageWalk.Damage) {
    self.number = number
    self.start = start
    self.usable = usable
    header = number == 1 ? SQLiteFileHeader.byteCount : 0
    guard let kind = Kind(rawValue: start.load(fromByteOffset: header, as: UInt8.self)) else {
      throw SQLitePageWalk.Damage(what: "page \(number) is of no known kind")
    }
    self.kind = kind
    cellCount = Self.half(start, header + 3)
    let content = Self.half(start, header + 5)
    self.content = content == 0 ? 65536 : content
    offsets = header + (kind.isLeaf ? 8 : 12)
    mostLocalBytes = kind.isIndex ? (usable - 12) * 64 / 255 - 23 : usable - 35
    guard offsets + 2 * cellCount <= self.content, self.content <= usable else {
      throw SQLitePageWalk.Damage(what: "page \(number) has impossible bounds")
    }
  }

  /// The page of what is right of the last cell of an inner page.
  var lastChild: Int { Self.word(start, header + 8) }

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
  }

  /// - Precondition: `index` is less than ``cellCount``.
  @inline(__always)
  func cell(_ index: Int) throws(SQLitePageWalk.Damage) -> Cell {
    let offset = Self.half(start, offsets + 2 * index)
    guard offset >= content, offset <= usable - 4 else { throw outside() }
    var end = offset
    var child = 0
    if !kind.isLeaf {
      child = Self.word(start, offset)
      end += 4
    }
    var payloadBytes = 0
    if kind != .tableInner {
      payloadBytes = Int(truncatingIfNeeded: SQLiteRecord.varint(start, &end, limit: usable))
      guard payloadBytes >= 0, payloadBytes <= Int32.max else { throw outside() }
    }
    var rowID: Int64 = 0
    if !kind.isIndex {
      rowID = Int64(bitPattern: SQLiteRecord.varint(start, &end, limit: usable))
    }
    let local = localBytes(payloadBytes)
    let payload = end..<end + local
    end += local
    var overflow = 0
    if local < payloadBytes {
      guard end <= usable - 4 else { throw outside() }
      overflow = Self.word(start, end)
      end += 4
    }
    // The library gives a cell no less, so that it can become a free block.
    end = max(end, offset + 4)
    guard end <= usable else { throw outside() }
    return Cell(
      offset: offset, byteCount: end - offset, child: child, rowID: rowID,
      payloadBytes: payloadBytes, payload: payload, overflow: overflow)
  }

  /// Marks the free blocks, and checks that they, the cells that are marked in `space` already, and the
  /// fragments between them fill the page.
  func account(_ space: inout SQLitePageSpace) throws(SQLitePageWalk.Damage) {
    var block = Self.half(start, header + 1)
    while block != 0 {
      guard block >= content, block <= usable - 4 else { throw outside() }
      let next = Self.half(start, block)
      let size = Self.half(start, block + 2)
      // Blocks in order end the loop on any bytes.
      guard size >= 4, block + size <= usable, next == 0 || next >= block + size + 4,
        space.mark(block, size)
      else { throw SQLitePageWalk.Damage(what: "free space of page \(number) is in two places") }
      block = next
    }
    let fragments = Int(start.load(fromByteOffset: header + 7, as: UInt8.self))
    guard space.markedBytes + fragments == usable - content else {
      throw SQLitePageWalk.Damage(what: "cells are missing or too many on page \(number)")
    }
  }

  // MARK: -

  /// How much of a payload lies in the page itself.
  @inline(__always)
  private func localBytes(_ payloadBytes: Int) -> Int {
    if payloadBytes <= mostLocalBytes { return payloadBytes }
    let least = (usable - 12) * 32 / 255 - 23
    let local = least + (payloadBytes - least) % (usable - 4)
    return local <= mostLocalBytes ? local : least
  }

  private func outside() -> SQLitePageWalk.Damage {
    SQLitePageWalk.Damage(what: "a part of page \(number) lies outside of it")
  }

  @inline(__always)
  private static func half(_ start: UnsafeRawPointer, _ offset: Int) -> Int {
    Int(UInt16(bigEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  /// A number of four bytes; negative where it is too large for the machine.
  @inline(__always)
  static func word(_ start: UnsafeRawPointer, _ offset: Int) -> Int {
    Int(
      truncatingIfNeeded: UInt32(
        bigEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
