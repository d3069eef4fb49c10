import ZeroClient
import ZeroProtocol

/// Rows in dictionaries, and queries by looking at all of them: what client and server have to agree with.
struct SessionRows {
  var items: [UTF8Key: Item] = [:]
  var notes: [NoteKey: Note] = [:]

  struct NoteKey: Hashable {
    let item: UTF8Key
    let number: Double

    init(_ note: Note) {
      item = UTF8Key(note.itemID)
      number = note.number
    }
  }

  /// The rows after a step; nil if it fails, which leaves nothing.
  @MainActor func after(_ step: SessionStep, isReplayed: Bool) -> SessionRows? {
    let tables = ModelTables(self)
    do { try step.run(on: tables, isReplayed: isReplayed) } catch { return nil }
    return tables.rows
  }

  func byRank() -> [Item] { items.values.sorted { Self.order($0.rank, $1.rank, $0, $1) } }

  func owned(_ owner: String?) -> [Item] {
    let found = items.values.filter { Self.isEqual($0.owner, owner) }.sorted {
      let order = TextOrder.utf8($0.title, $1.title)
      return order == 0 ? TextOrder.utf8($0.id, $1.id) < 0 : order > 0
    }
    return found.prefix(3).map(withNotes)
  }

  func noted() -> [Item] {
    items.values.filter { !notes(of: $0.id).isEmpty }
      .sorted { TextOrder.utf8($0.id, $1.id) < 0 }
      .map { item in
        var item = item
        item.notes = Array(notes(of: item.id).reversed().prefix(2))
        return item
      }
  }

  func one(_ id: String) -> Item? { items[UTF8Key(id)].map(withNotes) }

  func high(_ rank: Double) -> [Item] {
    items.values.filter { $0.rank >= rank || $0.title.utf8.first == UInt8(ascii: "a") }.sorted {
      $0.rank == $1.rank ? TextOrder.utf8($0.id, $1.id) < 0 : $0.rank > $1.rank
    }
  }

  func allNotes() -> [Note] {
    notes.values.sorted { a, b in
      let order = Self.compare(a.body, b.body)
      if order != 0 { return order < 0 }
      if a.number != b.number { return a.number > b.number }
      return TextOrder.utf8(a.itemID, b.itemID) < 0
    }
  }

  // MARK: -

  /// In the order of their numbers.
  fileprivate func notes(of id: String) -> [Note] {
    let key = UTF8Key(id)
    return notes.values.filter { UTF8Key($0.itemID) == key }.sorted { $0.number < $1.number }
  }

  fileprivate func withNotes(_ item: Item) -> Item {
    var item = item
    item.notes = notes(of: item.id)
    return item
  }

  fileprivate static func isEqual(_ a: String?, _ b: String?) -> Bool { compare(a, b) == 0 }

  private static func compare(_ a: String?, _ b: String?) -> Int {
    switch (a, b) {
    case (nil, nil): 0
    case (nil, _): -1
    case (_, nil): 1
    case (let a?, let b?): TextOrder.utf8(a, b)
    }
  }

  fileprivate static func order(_ x: Double, _ y: Double, _ a: Item, _ b: Item) -> Bool {
    x == y ? TextOrder.utf8(a.id, b.id) < 0 : x < y
  }
}

/// The tables of a model while a step runs on it.
@MainActor private final class ModelTables: SessionTables {
  private(set) var rows: SessionRows

  init(_ rows: SessionRows) { self.rows = rows }

  func item(_ id: String) -> Item? { rows.one(id) }
  func items(of owner: String?) -> [Item] {
    rows.items.values.filter { SessionRows.isEqual($0.owner, owner) }
      .sorted { SessionRows.order($0.rank, $1.rank, $0, $1) }.map(rows.withNotes)
  }
  func insert(_ item: Item) { if rows.items[UTF8Key(item.id)] == nil { upsert(item) } }
  func upsert(_ item: Item) {
    var item = item
    item.notes = nil
    rows.items[UTF8Key(item.id)] = item
  }
  func setTitle(_ id: String, _ title: String) { rows.items[UTF8Key(id)]?.title = title }
  func setRank(_ id: String, _ rank: Double) { rows.items[UTF8Key(id)]?.rank = rank }
  func setOwner(_ id: String, _ owner: String?) { rows.items[UTF8Key(id)]?.owner = owner }
  func delete(_ item: Item) { rows.items[UTF8Key(item.id)] = nil }
  func upsert(_ note: Note) { rows.notes[SessionRows.NoteKey(note)] = note }
  func delete(_ note: Note) { rows.notes[SessionRows.NoteKey(note)] = nil }
}

extension Item {
  /// Everything of it as bytes, since equal strings may differ in them.
  var spelling: [UInt8] {
    Array("\(id)|\(title)|\(rank + 0)|\(owner ?? "<nil>")|".utf8)
      + (notes ?? []).flatMap(\.spelling)
  }
}

extension Note {
  var spelling: [UInt8] { Array("[\(itemID)|\(number + 0)|\(body ?? "<nil>")]".utf8) }
}
