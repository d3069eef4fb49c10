@_spi(Engine) import ZeroProtocol

extension PokeContents {
  /// The highest mutation ID that the wire's numbers can count on from.
  private static let lastSafeID = (1 << 53) - 1

  /// Takes in the part of a poke that follows.
  mutating func append(_ part: PokePatches, _ places: TablePlaces) throws(PokeError) {
    for (client, id) in part.lastMutationIDChanges {
      guard let id = Int(exactly: id), id <= Self.lastSafeID else {
        throw .unexpected("\(id) is no mutation ID")
      }
      lastMutationIDs[UTF8Key(client)] = id
    }
    for (client, operations) in part.desiredQueriesPatches {
      for operation in operations {
        switch operation {
        case .put(let hash, _): desired.append((client, .put(hash)))
        case .del(let hash): desired.append((client, .delete(hash)))
        case .clear: clear()
        }
      }
    }
    for operation in part.gotQueriesPatch {
      switch operation {
      case .put(let hash, _): got.append(.put(hash))
      case .del(let hash): got.append(.delete(hash))
      case .clear: clear()
      }
    }
    hasRows = hasRows || part.hasRows
    for operation in part.rowsPatch {
      switch operation {
      case .put(let row): rows[places[row.layout]].append(.put(row))
      case .del(let row): rows[places[row.layout]].append(.delete(row))
      case .update(let update):
        rows[places[update.key.layout]].append(
          .update(
            merge: update.merge.map { update.key.merging($0) } ?? update.key,
            constrain: update.constrain.map { Set($0).union(update.key.layout.primaryKey) }))
      case .clear: clear()
      }
    }
    for operation in part.mutationsPatch {
      switch operation {
      case .put(let client, let id, let result):
        // Results in pokes are read as strictly as if they had been in storage. Whether one has a
        // known form matters only to the client that made the mutation.
        let known = try? MutationResult(json: .object(result), unknownMembers: .refused)
        results.append(
          .put(
            MutationResponse(
              id: MutationID(id: id, clientID: client), result: known ?? .unrecognized(result))))
      case .del(let client, let id):
        results.append(.delete(MutationID(id: id, clientID: client)))
      }
    }
  }
}

/// The place of a table in the schema, by the layout of its rows.
struct TablePlaces: Sendable {
  private let places: [ObjectIdentifier: Int]

  init(_ schema: ZeroSchema) {
    places = Dictionary(
      schema.tables.enumerated().map { (ObjectIdentifier($1.layout), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// - Precondition: the layout is one of the schema's.
  subscript(layout: RowLayout) -> Int {
    guard let place = places[ObjectIdentifier(layout)] else {
      preconditionFailure("table \"\(layout.table)\" is of another schema")
    }
    return place
  }
}
