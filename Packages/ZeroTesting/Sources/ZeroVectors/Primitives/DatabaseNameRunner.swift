import ZeroProtocol

extension VectorRunner {
  static let databaseName = VectorRunner(
    fields: [
      "userID", "options", "nameKey", "nameKeyHash", "schemaVersion", "databaseName", "throws",
    ],
    headerFields: ["loggedOutUserID"],
    prepare: { file in
      let schema = try ZeroSchema(json: try file.sibling("fixture-schema").header("schema"))
      guard let version = file.protocolVersion else { throw VectorFailure("no protocol version") }
      try expectEqual(
        .string(DatabaseName.anonymousUser), try file.header("loggedOutUserID"), "loggedOutUserID")
      return { (test) throws in
        let options = try test.object("options")
        func option(_ name: String) throws -> String? {
          guard case .string(let text)? = options[name] else { return nil }
          return text
        }
        let known: Set<String> = ["storageKey", "mutateURL", "queryURL", "getQueriesURL"]
        for (name, _) in options.members where !known.contains(name) {
          throw VectorFailure("option \(name) is not understood")
        }
        let userID = try test.value("userID")
        func name() throws -> DatabaseName {
          try DatabaseName(
            userID: userID.isUndefined ? nil : try userID.text(),
            storageKey: try option("storageKey") ?? "", mutateURL: try option("mutateURL") ?? "",
            queryURL: try option("queryURL") ?? option("getQueriesURL") ?? "")
        }
        guard !test.has("throws") else {
          try expectThrows("database name", name)
          return
        }
        let key = try name().keyText
        try expectEqual(key, try test.string("nameKey"), "nameKey")
        try expectEqual(TextHash.base36(key), try test.string("nameKeyHash"), "nameKeyHash")
        let schemaVersion = schema.schemaVersion(protocolVersion: version)
        try expectEqual(schemaVersion, try test.string("schemaVersion"), "schemaVersion")
        try expectEqual(
          try name().full(schemaVersion: schemaVersion), try test.string("databaseName"),
          "databaseName")
      }
    })
}
