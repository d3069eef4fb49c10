/// What reading a poke knows of a table: its names as they stand in the text, and the columns in the
/// order of the row before.
final class PokeTable {
  let layout: RowLayout
  /// How the server begins an entry that puts a row, up to where the row begins.
  let putStart: [UInt8]
  private let serverName: [UInt8]
  private let columnNames: [[UInt8]]
  /// A comma, the quoted name and a colon of each expected column, one after the other.
  private var text = ByteBuffer()
  /// Where the expected columns are in that text.
  private let members: UnsafeMutablePointer<Member>
  private var memberCount = 0

  private struct Member {
    var start: Int32
    var end: Int32
    var column: Int32
  }

  /// Stands for a column that the schema lacks.
  static let noColumn = -1
  /// How many columns of a row are expected; beyond them, names are looked up.
  static let expectedLimit = 512

  /// Bytes of names that are kept, roughly.
  private static let textLimit = 1 << 16

  init(_ table: TableDescriptor) {
    layout = table.layout
    serverName = Array(table.serverName.utf8)
    columnNames = table.columns.map { Array($0.serverName.utf8) }
    var start = Array("{\"op\":\"put\",\"tableName\":".utf8)
    start.appendJSON(table.serverName)
    start.append(contentsOf: ",\"value\":".utf8)
    putStart = start
    members = .allocate(capacity: Self.expectedLimit)
  }

  deinit { members.deallocate() }

  func isNamed(_ name: UnsafeRawBufferPointer) -> Bool { serverName.isEqual(to: name) }

  /// The index of the column with that server name.
  /// - Complexity: O(columns)
  func column(_ name: UnsafeRawBufferPointer) -> Int {
    columnNames.firstIndex { $0.isEqual(to: name) } ?? Self.noColumn
  }

  /// What is expected as member number `place` of a row: how it begins, and its column. The text is
  /// valid until the next call of `expect`.
  @inline(__always)
  func expected(at place: Int) -> (text: UnsafeRawBufferPointer, column: Int)? {
    guard place < memberCount else { return nil }
    let member = members[place]
    // The first member has no comma.
    let start = Int(place == 0 ? member.start + 1 : member.start)
    return (
      UnsafeRawBufferPointer(
        start: text.bytes.baseAddress.map { $0 + start }, count: Int(member.end) - start),
      Int(member.column)
    )
  }

  /// Expects `name` as member number `place` from now on, and nothing in particular behind it.
  /// - Parameter isPlain: whether the name stands in the text as it is.
  /// - Returns: the number of the member that follows.
  func expect(_ name: UnsafeRawBufferPointer, _ column: Int, at place: Int, isPlain: Bool) -> Int {
    if place < memberCount {
      text.removeAll(from: Int(members[place].start))
      memberCount = place
    }
    guard isPlain, text.count < Self.textLimit, name.count < Self.textLimit else {
      return Self.expectedLimit
    }
    let start = text.count
    text.append(UInt8(ascii: ","))
    text.append(UInt8(ascii: "\""))
    text.append(name)
    text.append(UInt8(ascii: "\""))
    text.append(UInt8(ascii: ":"))
    let member = Member(start: Int32(start), end: Int32(text.count), column: Int32(column))
    (members + place).initialize(to: member)
    memberCount = place + 1
    return place + 1
  }
}

extension [UInt8] {
  @inline(__always)
  fileprivate func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    count == other.count && withUnsafeBytes { equalBytes($0, other) }
  }
}
