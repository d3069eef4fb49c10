@_spi(Engine) import ZeroProtocol

extension VectorRunner {
  static let pokeParts = VectorRunner(
    fields: ["body", "accept", "path", "error"],
    prepare: { file in
      let decoder = PokeDecoder(try pokeSchema(file))
      return { (test) throws in
        let payload = try test.json("body").jsonText
        guard try !test.bool("accept") else {
          let parts = try decoder.parts(inPayload: payload)
          guard case .array(let bodies) = try test.json("body") else { return }
          try expectEqual(parts.count, bodies.count, "number of parts")
          return
        }
        do {
          _ = try decoder.parts(inPayload: payload)
        } catch let error as JSONError {
          let expected = JSONPath(
            try test.array("path").map { (step) throws in
              switch step {
              case .number(let index): .index(Int(index))
              case .string(let key): .key(key)
              default: throw VectorFailure("path has a strange element")
              }
            })
          try expectEqual(error.path, expected, "path")
          return
        }
        throw VectorFailure("accepted")
      }
    })

  static let pokeFrames = VectorRunner(
    fields: ["json", "parts", "frames", "chunkBytes", "cut", "throws"],
    headerFields: [
      "messageType", "defaultChunkBytes", "firstProtocolVersionWithFrames",
      "lastProtocolVersionWithPokePart",
    ],
    prepare: { file in
      let schema = try pokeSchema(file)
      let decoder = PokeDecoder(schema)
      try expectEqual(
        try file.header("messageType"), .number(Double(PokeAssembler.messageType)), "message type")
      try expectEqual(
        try file.header("defaultChunkBytes"), .number(Double(PokeChunker.standardFrameBytes)),
        "frame size")
      return { (test) throws in
        let size = test.has("chunkBytes") ? try test.int("chunkBytes") : nil
        if test.has("throws") {
          try expectThrows("frame size") { try PokeChunker(frameBytes: size ?? 0) }
          return
        }
        let text = Array(try test.string("json").utf8)
        let frames = try test.array("frames").map { frame -> [UInt8] in
          guard case .string(let frame) = frame else { throw VectorFailure("a frame is no text") }
          return try decodeBase64(frame)
        }
        if !test.has("cut") {
          let chunker = try PokeChunker(frameBytes: size ?? PokeChunker.standardFrameBytes)
          try expectEqual(chunker.frames(text), frames, "frames")
        }
        var assembler = PokeAssembler()
        for frame in frames { try assembler.add(frame) }
        try expectEqual(assembler.payload, text, "payload")
        try expectEqual(
          try JSONValue(parsing: assembler.payload), .array(try test.array("parts")), "parts")
        let parts = try decoder.parts(inPayload: assembler.payload)
        try expectEqual(
          try JSONValue(parsing: PokePatches.payload(parts)),
          .array(try test.array("parts").map { known($0, to: schema) }),
          "parts that were decoded and encoded again")
      }
    })

  static func pokeSchema(_ file: VectorFile) throws -> ZeroSchema {
    try ZeroSchema(json: try file.sibling("fixture-schema").header("schema"))
  }

  /// A part without the entries of tables and without the columns that the schema lacks.
  private static func known(_ part: JSONValue, to schema: ZeroSchema) -> JSONValue {
    guard case .object(var object) = part, case .array(let rows)? = object["rowsPatch"] else {
      return part
    }
    let kept = rows.compactMap { entry -> JSONValue? in
      guard case .object(var entry) = entry, case .string(let name)? = entry["tableName"] else {
        return entry
      }
      guard let table = schema.table(serverName: name) else { return nil }
      for field in ["value", "id", "merge"] {
        guard case .object(let columns)? = entry[field] else { continue }
        entry[field] = .object(
          JSONObject(
            columns.members.lazy.filter { table.layout.index(ofServerName: $0.key) != nil }
              .map { ($0.key, $0.value) }))
      }
      if entry["constrain"] == .array([]) { entry["constrain"] = nil }
      return .object(entry)
    }
    object["rowsPatch"] = kept.isEmpty ? nil : .array(kept)
    return .object(object)
  }
}
