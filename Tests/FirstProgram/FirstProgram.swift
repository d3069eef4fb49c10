import Zero

struct Note: ZeroTable, Identifiable {
  var id: String
  var text: String
  var done: Bool

  init(id: String, text: String, done: Bool = false) {
    self.id = id
    self.text = text
    self.done = done
  }
  init(_ row: RowReader) throws(RowDecodingError) {
    id = try row.value(0)
    text = try row.value(1)
    done = try row.value(2)
  }
  func encode() -> ContiguousArray<Value> { [id.zero, text.zero, done.zero] }

  struct Columns: Sendable {
    let id = Column<Note, String>(0)
    let text = Column<Note, String>(1)
    let done = Column<Note, Bool>(2)
  }
  struct Relations: Sendable {}
  static let columns = Columns()
  static let relations = Relations()
  static let table = TableDescriptor(
    "note", columns: [.init("id", .string), .init("text", .string), .init("done", .boolean)],
    primaryKey: ["id"])
}

extension TransactionMutate {
  var note: TableMutator<Note> { table() }
}

struct User: Sendable { var name: String }
struct NewNote: Codable, Sendable { var id: String, text: String }

let openNotes = defineQuery("notes.open") { (_: User) in
  Query<Note, [Note]>.all.where(\.done, false).orderBy(\.text)
}
let createNote = defineMutator("note.create") { (tx, new: NewNote, _: User) in
  try tx.mutate.note.insert(Note(id: new.id, text: new.text))
}

@MainActor func firstProgram(_ options: ZeroOptions) async throws -> [String] {
  let zero = try Zero(
    schema: ZeroSchema(tables: [Note.table]), userID: "ann", context: User(name: "Ann"),
    mutators: [createNote], options: options)
  let notes = try zero.materialize(openNotes())
  let printing = notes.addListener { print($0.data.map(\.text), $0.resultType) }
  _ = try await zero.mutate(createNote(NewNote(id: "1", text: "Buy milk"))).client.value
  _ = try await zero.mutate(createNote(NewNote(id: "2", text: "Answer Bob"))).client.value
  printing.cancel()
  try await zero.close().value
  return notes.data.map(\.text)
}
