extension PokePatches {
  /// The body as JSON text with server names, members in the server's order. Patches without
  /// entries are left out, and so are absent columns.
  public var jsonText: [UInt8] {
    var text: [UInt8] = []
    text.append(contentsOf: "{\"pokeID\":".utf8)
    text.appendJSON(pokeID)
    text.appendMembers("lastMutationIDChanges", lastMutationIDChanges) { text, change in
      text.appendJSON(change.clientID)
      text.append(UInt8(ascii: ":"))
      text.appendJSON(change.lastMutationID)
    }
    text.appendMembers("desiredQueriesPatches", desiredQueriesPatches) { text, patch in
      text.appendJSON(patch.clientID)
      text.append(UInt8(ascii: ":"))
      text.appendList(patch.operations) { $0.append($1) }
    }
    if !gotQueriesPatch.isEmpty {
      text.append(contentsOf: ",\"gotQueriesPatch\":".utf8)
      text.appendList(gotQueriesPatch) { $0.append($1) }
    }
    if !rowsPatch.isEmpty {
      text.append(contentsOf: ",\"rowsPatch\":".utf8)
      text.appendList(rowsPatch) { $0.append($1) }
    }
    if !mutationsPatch.isEmpty {
      text.append(contentsOf: ",\"mutationsPatch\":".utf8)
      text.appendList(mutationsPatch) { $0.append($1) }
    }
    text.append(UInt8(ascii: "}"))
    return text
  }

  /// The payload of the chunks of a poke: a JSON array of part bodies.
  public static func payload(_ parts: some Sequence<PokePatches>) -> [UInt8] {
    var text: [UInt8] = []
    text.appendList(parts) { $0.append(contentsOf: $1.jsonText) }
    return text
  }
}

extension [UInt8] {
  fileprivate mutating func appendList<S: Sequence>(
    _ elements: S, _ append: (inout [UInt8], S.Element) -> Void
  ) {
    self.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { self.append(UInt8(ascii: ",")) }
      isFirst = false
      append(&self, element)
    }
    self.append(UInt8(ascii: "]"))
  }

  fileprivate mutating func appendMembers<S: Collection>(
    _ name: String, _ elements: S, _ append: (inout [UInt8], S.Element) -> Void
  ) {
    guard !elements.isEmpty else { return }
    self.append(contentsOf: ",\"\(name)\":{".utf8)
    var isFirst = true
    for element in elements {
      if !isFirst { self.append(UInt8(ascii: ",")) }
      isFirst = false
      append(&self, element)
    }
    self.append(UInt8(ascii: "}"))
  }

  fileprivate mutating func append(_ operation: PokePatches.QueryOperation) {
    switch operation {
    case .put(let hash, let ttl):
      append(contentsOf: "{\"op\":\"put\",\"hash\":".utf8)
      appendJSON(hash)
      if let ttl {
        append(contentsOf: ",\"ttl\":".utf8)
        appendJSON(ttl)
      }
    case .del(let hash):
      append(contentsOf: "{\"op\":\"del\",\"hash\":".utf8)
      appendJSON(hash)
    case .clear: append(contentsOf: "{\"op\":\"clear\"".utf8)
    }
    append(UInt8(ascii: "}"))
  }

  fileprivate mutating func append(_ operation: PokePatches.RowOperation) {
    switch operation {
    case .put(let row):
      appendStart("put", row)
      append(contentsOf: ",\"value\":".utf8)
      appendColumns(row)
    case .update(let update):
      appendStart("update", update.key)
      append(contentsOf: ",\"id\":".utf8)
      appendColumns(update.key)
      if let merge = update.merge {
        append(contentsOf: ",\"merge\":".utf8)
        appendColumns(merge)
      }
      if let constrain = update.constrain {
        append(contentsOf: ",\"constrain\":".utf8)
        let columns = update.key.layout.columns
        // An empty list would keep all columns; one with a name that no column has keeps none.
        let names = constrain.isEmpty ? [""] : constrain.map { columns[$0].serverName }
        appendList(names) { $0.appendJSON($1) }
      }
    case .del(let key):
      appendStart("del", key)
      append(contentsOf: ",\"id\":".utf8)
      appendColumns(key)
    case .clear: append(contentsOf: "{\"op\":\"clear\"".utf8)
    }
    append(UInt8(ascii: "}"))
  }

  private mutating func appendStart(_ op: String, _ row: Row) {
    append(contentsOf: "{\"op\":\"\(op)\",\"tableName\":".utf8)
    appendJSON(row.layout.serverTable)
  }

  /// Appends the columns of a row that are not absent, under their server names.
  private mutating func appendColumns(_ row: Row) {
    append(UInt8(ascii: "{"))
    var isFirst = true
    for (i, column) in row.layout.columns.enumerated() where row.tag(i) != .absent {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      appendJSON(column.serverName)
      append(UInt8(ascii: ":"))
      appendJSON(row, column: i)
    }
    append(UInt8(ascii: "}"))
  }

  fileprivate mutating func append(_ operation: PokePatches.MutationOperation) {
    switch operation {
    case .put(let clientID, let id, let result):
      append(contentsOf: "{\"op\":\"put\",\"mutation\":{\"id\":".utf8)
      appendMutationID(clientID, id)
      append(contentsOf: ",\"result\":".utf8)
      appendJSON(.object(result))
      append(UInt8(ascii: "}"))
    case .del(let clientID, let id):
      append(contentsOf: "{\"op\":\"del\",\"id\":".utf8)
      appendMutationID(clientID, id)
    }
    append(UInt8(ascii: "}"))
  }

  private mutating func appendMutationID(_ clientID: String, _ id: Double) {
    append(contentsOf: "{\"id\":".utf8)
    appendJSON(id)
    append(contentsOf: ",\"clientID\":".utf8)
    appendJSON(clientID)
    append(UInt8(ascii: "}"))
  }
}

extension [UInt8] {
  /// Appends column `i` of a row as JSON; absent as null. JSON columns keep their spelling.
  @_spi(Engine) public mutating func appendJSON(_ row: Row, column i: Int) {
    let tag = row.tag(i)
    switch tag {
    case .absent, .null: append(contentsOf: "null".utf8)
    case .false: appendJSON(false)
    case .true: appendJSON(true)
    case .integer, .double: appendJSON(row.storage.number(i, tag))
    case .string: appendJSON(utf8: row.storage.bytes(i))
    case .json: append(contentsOf: row.storage.bytes(i))
    }
  }
}
