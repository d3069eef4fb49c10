import ZeroIVM
@_spi(Engine) import ZeroProtocol

extension VectorRunner {
  static let queriesPatch = VectorRunner(
    fields: ["clientID", "queries", "storedKeys", "lastPatch", "patch"],
    headerFields: ["customQueryTable"],
    prepare: { file in
      let schema = try fixtureSchema(file)
      guard case .string(let table) = try file.header("customQueryTable"),
        schema.table(table) != nil
      else { throw VectorFailure("customQueryTable is not understood") }
      let toServer = NameMapper(schema, .clientToServer)
      return { test in
        guard case .array(let queries) = try test.value("queries") else {
          throw VectorFailure("queries is no array")
        }
        var wanted: [DesiredQuery] = []
        for query in queries {
          let query = try desiredQuery(query, schema, toServer)
          if let place = wanted.firstIndex(where: {
            $0.hash.utf8.elementsEqual(query.hash.utf8)
          }) {
            wanted[place].ttl = max(wanted[place].ttl ?? 0, query.ttl ?? 0)
          } else {
            wanted.append(query)
          }
        }
        let prefix = StoreKey.desiredQueries(clientID: try test.string("clientID"))
        let confirmed = try strings(try test.json("storedKeys"))
          .filter { $0.utf8.starts(with: prefix.utf8) }
          .map { String(decoding: $0.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) }
          .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let sent = test.has("lastPatch") ? try desiredQueryOps(try test.json("lastPatch")) : nil
        let patch = QueriesPatch(wanted: wanted, confirmed: confirmed, sent: sent)
        let message = UpstreamMessage.changeDesiredQueries(
          ChangeDesiredQueries(desiredQueriesPatch: patch.ops))
        try expectEqual(
          message.jsonValue.jsonString,
          JSONValue.array([
            .string("changeDesiredQueries"),
            .object(["desiredQueriesPatch": try test.json("patch")]),
          ]).jsonString, "patch")
      }
    })

  // MARK: -

  private static func desiredQuery(
    _ value: VectorValue, _ schema: ZeroSchema, _ toServer: NameMapper
  ) throws -> DesiredQuery {
    guard case .object(let members) = value else { throw VectorFailure("a query is no object") }
    func member(_ name: String) -> VectorValue? { members.first { $0.key == name }?.value }
    guard let ttl = member("ttl") else { throw VectorFailure("a query without ttl") }
    let milliseconds =
      switch try ttl.json() {
      case .number(let number)?: TTL.milliseconds(number).clamped.milliseconds
      default: TTL(text: try ttl.text()).clamped.milliseconds
      }
    switch members.map(\.key).sorted() {
    case ["args", "name", "ttl"]:
      guard case .array(let args)? = try member("args")?.json(), let name = member("name") else {
        throw VectorFailure("a query is not understood")
      }
      let text = try name.text()
      return DesiredQuery(
        hash: queryID(name: text, arguments: args), name: text, args: args, ttl: milliseconds)
    case ["chain", "table", "ttl"]:
      guard let table = member("table"), let chain = member("chain") else {
        throw VectorFailure("a query is not understood")
      }
      let query = try QueryChain(chain).applied(to: try AnyQuery(schema, table: table.text()))
      return DesiredQuery(
        hash: try query.hash(), ast: try query.ast.normalized().mapped(by: toServer),
        ttl: milliseconds)
    default: throw VectorFailure("a query is not understood")
    }
  }
}
