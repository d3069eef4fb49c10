@_spi(Engine) import ZeroProtocol

/// Writes pokes as they go over the wire.
struct PokeEncoder {
  let schema: DatabaseSchema
  /// Largest binary frame in bytes, its first byte included.
  var chunkBytes = frameBytes

  init(schema: DatabaseSchema) { self.schema = schema }

  /// Size of a full binary frame.
  static let frameBytes = 1 << 20
  /// First byte of a binary frame that holds a piece of a poke.
  static let chunkType = SyncProtocol.pokeChunkTag
  /// A part is closed after as many patches.
  static let partPatches = 100
  /// A part is closed when its rows reach as many bytes.
  static let partBytes = 1 << 20

  enum Frame: Equatable, Sendable {
    case text([UInt8])
    case binary([UInt8])
  }

  /// The frames of a poke, from `pokeStart` to `pokeEnd`.
  func frames(_ poke: Poke, protocolVersion: Int) -> [Frame] {
    let parts = parts(poke.patches, id: poke.cookie.cookie)
    var frames = [start(poke)]
    if protocolVersion >= SyncProtocol.firstVersionWithBinaryPokes {
      frames += Self.chunks(of: Self.array(parts), size: chunkBytes).map(Frame.binary)
    } else {
      frames += parts.map { part in
        var text = Array("[\"pokePart\",".utf8)
        text += part
        text.append(UInt8(ascii: "]"))
        return .text(text)
      }
    }
    frames.append(end(poke))
    return frames
  }

  func start(_ poke: Poke) -> Frame {
    let base = poke.base.map { JSONValue.string($0.cookie) } ?? .null
    return Self.text(
      "pokeStart", ["pokeID": .string(poke.cookie.cookie), "baseCookie": base])
  }

  func end(_ poke: Poke) -> Frame {
    let cookie = poke.cookie.cookie
    return Self.text("pokeEnd", ["pokeID": .string(cookie), "cookie": .string(cookie)])
  }

  /// The end of a poke that is to be forgotten.
  func cancel(_ poke: Poke) -> Frame {
    Self.text(
      "pokeEnd",
      ["pokeID": .string(poke.cookie.cookie), "cookie": .string(""), "cancel": .bool(true)])
  }

  /// Cuts text into frames of at most `size` bytes, never inside a character.
  static func chunks(of text: [UInt8], size: Int = frameBytes) -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    var from = 0
    while from < text.count {
      var to = min(text.count, from + max(1, size - 1))
      while to < text.count, to > from + 1, text[to] & 0xC0 == 0x80 { to -= 1 }
      chunks.append([chunkType] + text[from..<to])
      from = to
    }
    return chunks
  }

  // MARK: -

  private static func text(_ type: String, _ body: JSONObject) -> Frame {
    .text(JSONValue.array([.string(type), .object(body)]).jsonText)
  }

  private static func array(_ parts: [[UInt8]]) -> [UInt8] {
    var text: [UInt8] = [UInt8(ascii: "[")]
    text.reserveCapacity(parts.reduce(2) { $0 + $1.count + 1 })
    for (place, part) in parts.enumerated() {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      text += part
    }
    text.append(UInt8(ascii: "]"))
    return text
  }

  /// The JSON text of each part.
  private func parts(_ patches: PokePatches, id: String) -> [[UInt8]] {
    var parts = PokeParts(id: id)
    for (client, id) in patches.lastMutationIDs {
      parts.add(to: .lastMutationIDs) { text in
        text.appendJSON(client)
        text.append(UInt8(ascii: ":"))
        text.appendJSON(Double(id))
      }
    }
    for result in patches.results {
      parts.add(to: .mutations) { $0.appendJSON(.object(result.json)) }
    }
    for (client, changes) in patches.desired {
      for change in changes {
        parts.add(to: .desired(client)) { $0.appendJSON(.object(change.json)) }
      }
    }
    for change in patches.got { parts.add(to: .got) { $0.appendJSON(.object(change.json)) } }
    for row in patches.rows { parts.add(to: .rows) { append(row, to: &$0) } }
    return parts.finish()
  }

  private func append(_ patch: RowPatch, to text: inout [UInt8]) {
    switch patch {
    case .put(let key, let row):
      text += "{\"op\":\"put\",\"tableName\":".utf8
      text.appendJSON(schema.tables[key.table].name)
      text += ",\"value\":".utf8
      append(row, to: &text)
    case .delete(let key):
      let table = schema.tables[key.table]
      text += "{\"op\":\"del\",\"tableName\":".utf8
      text.appendJSON(table.name)
      text += ",\"id\":".utf8
      text.appendJSON(.object(key.identity(table.layout)))
    }
    text.append(UInt8(ascii: "}"))
  }

  private func append(_ row: Row, to text: inout [UInt8]) {
    var separator = UInt8(ascii: "{")
    for (place, column) in row.layout.columns.enumerated() {
      text.append(separator)
      separator = UInt8(ascii: ",")
      text.appendJSON(column.name)
      text.append(UInt8(ascii: ":"))
      switch row[place] {
      case .absent, .null: text += "null".utf8
      case .bool(let value): text.appendJSON(value)
      case .number(let value): text.appendJSON(value)
      case .string(let value): text.appendJSON(value)
      case .json(let value): text.appendJSON(value)
      }
    }
    text.append(UInt8(ascii: "}"))
  }
}

extension PokePatches.QueryPatch {
  var json: JSONObject {
    switch self {
    case .put(let hash): ["op": .string("put"), "hash": .string(hash)]
    case .delete(let hash): ["op": .string("del"), "hash": .string(hash)]
    }
  }
}

extension PokePatches.ResultPatch {
  var json: JSONObject {
    let id = JSONValue.object([
      "clientID": .string(clientID), "id": .number(Double(mutationID)),
    ])
    if let result {
      return [
        "op": .string("put"), "mutation": .object(["id": id, "result": result]),
      ]
    }
    return ["op": .string("del"), "id": id]
  }
}
