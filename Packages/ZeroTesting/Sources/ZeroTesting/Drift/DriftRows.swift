import ZeroProtocol

/// The rows of samples, in the names of the client's schema.
struct DriftRows {
  private let schema: ZeroSchema

  init(_ schema: ZeroSchema) { self.schema = schema }

  /// What became of one row.
  struct Change: Equatable {
    let table: String
    /// The values of the key as JSON.
    let key: String
    /// All columns, absent ones as null; nil for no row.
    let before: JSONObject?
    let after: JSONObject?

    var operation: String { before == nil ? "add" : after == nil ? "remove" : "edit" }

    fileprivate var place: UTF8Key { UTF8Key("\(table) \(key)") }
  }

  /// The rows that are there before a mutator runs.
  /// - Throws: ``DriftFormatError``.
  func seed(_ seed: JSONObject) throws -> [Row] {
    try seed.members.flatMap { name, value -> [Row] in
      guard case .array(let rows) = value else {
        throw DriftFormatError("seed.\(name) is no array of rows")
      }
      let table = try self.table(name, "seed")
      return try rows.enumerated().map { place, row in
        let place = "seed.\(name)[\(place)]"
        let columns = try self.columns(row, table, place)
        _ = try key(columns, table, place)
        return self.row(columns, table)
      }
    }
  }

  /// The recorded changes.
  /// - Throws: ``DriftFormatError``.
  func changes(_ changes: [JSONValue]) throws -> [Change] {
    var places: Set<UTF8Key> = []
    return try changes.enumerated().map { number, value in
      let place = "changes[\(number)]"
      let change = try self.change(DriftFields(value, place))
      guard places.insert(change.place).inserted else {
        throw DriftFormatError("\(place) is of a row that was there before")
      }
      return change
    }
  }

  /// What a mutator did to a row; nil if the row is as it was.
  func change(_ table: TableDescriptor, _ before: Row?, _ after: Row?) -> Change? {
    let (before, after) = (before.map { columns($0, table) }, after.map { columns($0, table) })
    guard before != after, let row = after ?? before else { return nil }
    return Change(
      table: table.name, key: JSONValue.array(keyValues(row, table)).jsonString, before: before,
      after: after)
  }

  /// Why the changes of a mutator are not the recorded ones, row by row; nil if they are.
  func difference(_ recorded: [Change], _ own: [Change]) -> String? {
    func byPlace(_ changes: [Change]) -> [UTF8Key: Change] {
      Dictionary(changes.map { ($0.place, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let (recordedByPlace, ownByPlace) = (byPlace(recorded), byPlace(own))
    let places = Set(recordedByPlace.keys).union(ownByPlace.keys)
      .sorted { TextOrder.utf8($0.string, $1.string) < 0 }
    let lines = places.compactMap { place -> String? in
      let (recorded, own) = (recordedByPlace[place], ownByPlace[place])
      if recorded == own { return nil }
      return "row \(place.string)\n  recorded: \(text(recorded))\n  Swift:    \(text(own))"
    }
    return lines.isEmpty
      ? nil : "the changes of rows differ\n" + lines.joined(separator: "\n")
  }

  // MARK: -

  private func change(_ fields: DriftFields) throws -> Change {
    try fields.allow(["table", "op", "key", "before", "after"])
    let table = try self.table(fields.string("table"), fields.place)
    let operation = try fields.string("op")
    guard ["add", "edit", "remove"].contains(operation) else {
      throw DriftFormatError(
        "\(fields.place).op is \"\(operation)\", which is none of \"add\", \"edit\", \"remove\"")
    }
    func row(_ name: String, _ isExpected: Bool) throws -> JSONObject? {
      guard isExpected else {
        // Null says no more than a member that is left out.
        guard fields.object[name] == nil || fields.object[name] == .null else {
          throw DriftFormatError("\(fields.place) is of kind \(operation) and has \(name)")
        }
        return nil
      }
      return try columns(fields.value(name), table, "\(fields.place).\(name)")
    }
    let before = try row("before", operation != "add")
    let after = try row("after", operation != "remove")
    let key = JSONValue.array(try fields.array("key").map(\.value)).jsonString
    for row in [before, after].compactMap({ $0 }) {
      let own = try self.key(row, table, fields.place)
      guard own.utf8.elementsEqual(key.utf8) else {
        throw DriftFormatError("\(fields.place).key is \(key), and its row has the key \(own)")
      }
    }
    return Change(table: table.name, key: key, before: before, after: after)
  }

  private func table(_ name: String, _ place: String) throws -> TableDescriptor {
    guard let table = schema.table(name) else {
      throw DriftFormatError("\(place) names the table \"\(name)\", which the schema does not have")
    }
    return table
  }

  /// A row's columns in the order of its table.
  private func columns(
    _ value: JSONValue, _ table: TableDescriptor, _ place: String
  ) throws -> JSONObject {
    let fields = try DriftFields(value, place)
    for (name, _) in fields.object.members where table.layout.index(of: name) == nil {
      throw DriftFormatError(
        "\(place) has a column \"\(name)\", which the table \"\(table.name)\" does not have")
    }
    return JSONObject(table.columns.map { ($0.name, fields.object[$0.name] ?? .null) })
  }

  private func columns(_ row: Row, _ table: TableDescriptor) -> JSONObject {
    JSONObject(table.columns.enumerated().map { ($1.name, row[$0].jsonValue) })
  }

  private func row(_ columns: JSONObject, _ table: TableDescriptor) -> Row {
    var builder = RowBuilder()
    builder.begin(table.layout)
    for (place, column) in table.columns.enumerated() {
      builder.set(place, columns[column.name] ?? .null)
    }
    return builder.finish()
  }

  private func keyValues(_ row: JSONObject, _ table: TableDescriptor) -> [JSONValue] {
    table.primaryKey.map { row[$0] ?? .null }
  }

  /// The key of a row as JSON.
  private func key(_ row: JSONObject, _ table: TableDescriptor, _ place: String) throws -> String {
    let values = keyValues(row, table)
    for (column, value) in zip(table.primaryKey, values) {
      switch value {
      case .string, .number, .bool: break
      case .null, .array, .object:
        throw DriftFormatError(
          "\(place) has \(value.jsonString) in the key column \"\(column)\"; give it a string, a "
            + "number or a boolean")
      }
    }
    return JSONValue.array(values).jsonString
  }

  private func text(_ change: Change?) -> String {
    guard let change else { return "no change" }
    switch (change.before, change.after) {
    case (let before?, let after?):
      let changed = before.members.filter { after[$0.key] != $0.value }
      let parts = changed.map { name, old in
        "\(name) from \(old.jsonString) to \((after[name] ?? .null).jsonString)"
      }
      return "edit \(parts.joined(separator: ", "))"
    case (let row, nil), (nil, let row):
      return "\(change.operation) \(row.map { JSONValue.object($0).jsonString } ?? "")"
    }
  }
}
