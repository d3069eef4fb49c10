import ZeroClient
import ZeroIVM
import ZeroProtocol

/// A thing with notes, in the app of the random sessions.
struct Item: ZeroTable {
  var id: String
  var title: String
  var rank: Double
  var owner: String?
  var notes: [Note]?

  init(id: String, title: String, rank: Double, owner: String?) {
    self.id = id
    self.title = title
    self.rank = rank
    self.owner = owner
  }

  init(_ row: RowReader) throws(RowDecodingError) {
    id = try row.value(0)
    title = try row.value(1)
    rank = try row.value(2)
    owner = try row.value(3)
    notes = try row.many(0)
  }

  func encode() -> ContiguousArray<Value> { [id.zero, title.zero, rank.zero, owner.zero] }

  struct Columns: Sendable {
    let id = Column<Item, String>(0)
    let title = Column<Item, String>(1)
    let rank = Column<Item, Double>(2)
    let owner = Column<Item, String?>(3)
  }
  struct Relations: Sendable {
    let notes = Relation<Item, Note, ToMany>(0)
  }
  static let columns = Columns()
  static let relations = Relations()
  static let table = TableDescriptor(
    "item", server: "items",
    columns: [
      ColumnDescriptor("id", .string), ColumnDescriptor("title", .string),
      ColumnDescriptor("rank", server: "rank_order", .number),
      ColumnDescriptor("owner", .string, optional: true),
    ],
    primaryKey: ["id"],
    relations: [RelationDescriptor("notes", .many, Hop(["id"], "note", ["itemID"]))])

  struct Changes: RowChanges {
    var values = ChangeSet()
    init(id: String) { values.set(0, id.zero) }
    mutating func setTitle(_ title: String) { values.set(1, title.zero) }
    mutating func setRank(_ rank: Double) { values.set(2, rank.zero) }
    mutating func setOwner(_ owner: String?) { values.set(3, owner.zero) }
  }
}

/// A note on an item, whose key has two parts.
struct Note: ZeroTable {
  var itemID: String
  var number: Double
  var body: String?

  init(itemID: String, number: Double, body: String?) {
    self.itemID = itemID
    self.number = number
    self.body = body
  }

  init(_ row: RowReader) throws(RowDecodingError) {
    itemID = try row.value(0)
    number = try row.value(1)
    body = try row.value(2)
  }

  func encode() -> ContiguousArray<Value> { [itemID.zero, number.zero, body.zero] }

  struct Columns: Sendable {
    let itemID = Column<Note, String>(0)
    let number = Column<Note, Double>(1)
    let body = Column<Note, String?>(2)
  }
  struct Relations: Sendable {}
  static let columns = Columns()
  static let relations = Relations()
  static let table = TableDescriptor(
    "note",
    columns: [
      ColumnDescriptor("itemID", server: "item_id", .string), ColumnDescriptor("number", .number),
      ColumnDescriptor("body", .string, optional: true),
    ],
    primaryKey: ["itemID", "number"])
}

extension TransactionMutate {
  fileprivate var item: TableMutator<Item> { table() }
  fileprivate var note: TableMutator<Note> { table() }
}

enum SessionQueries {
  private static var items: Query<Item, [Item]> { .all }
  private static var allNotes: Query<Note, [Note]> { .all }

  static let byRank = defineQuery("items.byRank") { (_: Void) in items.orderBy(\.rank) }
  static let owned = defineQuery("items.owned") { (owner: String?, _: Void) in
    items.where(\.owner, owner).orderBy(\.title, .desc).limit(3).related(\.notes)
  }
  static let noted = defineQuery("items.noted") { (_: Void) in
    items.whereExists(\.notes).related(\.notes) { $0.orderBy(\.number, .desc).limit(2) }
  }
  static let one = defineQuery("items.one") { (id: String, _: Void) in
    items.where(\.id, id).related(\.notes).one()
  }
  static let high = defineQuery("items.high") { (rank: Double, _: Void) in
    items.where { $0.rank >= rank || $0.title.like("a%") }.orderBy(\.rank, .desc)
  }
  static let notes = defineQuery("notes") { (_: Void) in
    allNotes.orderBy(\.body).orderBy(\.number, .desc)
  }
}

/// The app's mutators: each runs a step on the tables of the transaction.
enum SessionMutators {
  static let all: [Mutator<SessionStep, Void>] = SessionStep.Kind.allCases.map(mutator)

  static func request(_ step: SessionStep) -> MutateRequest<Void> { mutator(step.kind)(step) }

  // MARK: -

  private static func mutator(_ kind: SessionStep.Kind) -> Mutator<SessionStep, Void> {
    defineMutator(kind.rawValue) { (tx, step: SessionStep, _: Void) in
      try step.run(on: TransactionTables(tx), isReplayed: tx.reason == .rebase)
    }
  }
}

/// The tables of a transaction, read by queries with joins.
private struct TransactionTables: SessionTables {
  let tx: MutatorTransaction

  init(_ tx: MutatorTransaction) { self.tx = tx }

  func item(_ id: String) throws -> Item? {
    try tx.run(Query<Item, [Item]>.all.where(\.id, id).related(\.notes).one())
  }
  func items(of owner: String?) throws -> [Item] {
    try tx.run(Query<Item, [Item]>.all.where(\.owner, owner).orderBy(\.rank).related(\.notes))
  }
  func insert(_ item: Item) throws { try tx.mutate.item.insert(item) }
  func upsert(_ item: Item) throws { try tx.mutate.item.upsert(item) }
  func setTitle(_ id: String, _ title: String) throws {
    var changes = Item.Changes(id: id)
    changes.setTitle(title)
    try tx.mutate.item.update(changes)
  }
  func setRank(_ id: String, _ rank: Double) throws {
    var changes = Item.Changes(id: id)
    changes.setRank(rank)
    try tx.mutate.item.update(changes)
  }
  func setOwner(_ id: String, _ owner: String?) throws {
    var changes = Item.Changes(id: id)
    changes.setOwner(owner)
    try tx.mutate.item.update(changes)
  }
  func delete(_ item: Item) throws { try tx.mutate.item.delete(item) }
  func upsert(_ note: Note) throws { try tx.mutate.note.upsert(note) }
  func delete(_ note: Note) throws { try tx.mutate.note.delete(note) }
}
