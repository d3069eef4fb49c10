import ZeroIVM
import ZeroProtocol

/// Where a ``Pair`` looks for its columns and relations; a right one gives the defaults.
protocol Places: Sendable {
  associatedtype First: ZeroValue = String
  associatedtype Target: ZeroTable = User
  associatedtype Kind = ToOne
  static var columns: [Int] { get }
  static var relations: [Int] { get }
  static var read: [Int] { get }
  static var readRelations: [Int] { get }
  static func encoded(_ values: [Value]) -> [Value]
}

extension Places {
  static var columns: [Int] { [0, 1, 2] }
  static var relations: [Int] { [0, 1] }
  static var read: [Int] { [0, 1, 2] }
  static var readRelations: [Int] { [0, 1] }
  static func encoded(_ values: [Value]) -> [Value] { values }
}

private let pairTable = TableDescriptor(
  "pair",
  columns: [.init("id", .string), .init("flag", .boolean), .init("other", .boolean)],
  primaryKey: ["id"],
  relations: [
    .init("mate", .one, Hop(["id"], "user", ["id"])),
    .init("mates", .many, Hop(["id"], "user", ["id"])),
  ])

/// A table's struct that may be wrong in many ways.
struct Pair<P: Places>: ZeroTable {
  var id: P.First
  var flag: Bool
  var other: Bool
  @Indirect var mate: User?
  var mates: [User]?

  init(_ reader: RowReader) throws(RowDecodingError) {
    id = try reader.value(P.read[0])
    flag = try reader.value(P.read[1])
    other = try reader.value(P.read[2])
    mate = try reader.one(P.readRelations[0])
    mates = try reader.many(P.readRelations[1])
  }

  func encode() -> ContiguousArray<Value> {
    ContiguousArray(P.encoded([id.zero, flag.zero, other.zero]))
  }

  struct Columns: Sendable {
    let id = Column<Pair, P.First>(P.columns[0])
    let flag = Column<Pair, Bool>(P.columns[1])
    let other = Column<Pair, Bool>(P.columns[2])
  }
  struct Relations: Sendable {
    let mate = Relation<Pair, P.Target, P.Kind>(P.relations[0])
    let mates = Relation<Pair, User, ToMany>(P.relations[1])
  }
  static var columns: Columns { Columns() }
  static var relations: Relations { Relations() }
  static var table: TableDescriptor { pairTable }
}
