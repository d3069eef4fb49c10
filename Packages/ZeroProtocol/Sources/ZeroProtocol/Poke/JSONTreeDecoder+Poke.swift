/// The small patches of a poke part.
extension JSONTreeDecoder {
  mutating func lastMutationIDs(
    _ json: JSONValue
  ) throws(JSONError) -> [(clientID: String, lastMutationID: Double)] {
    try entries(json) { (tree, name, json) throws(JSONError) in
      (clientID: name, lastMutationID: try tree.double(json))
    }
  }

  mutating func queriesByClient(
    _ json: JSONValue
  ) throws(JSONError) -> [(clientID: String, operations: [PokePatches.QueryOperation])] {
    try entries(json) { (tree, name, json) throws(JSONError) in
      (clientID: name, operations: try tree.queries(json))
    }
  }

  mutating func queries(_ json: JSONValue) throws(JSONError) -> [PokePatches.QueryOperation] {
    try array(json) { (tree, json) throws(JSONError) in
      let object = try tree.object(json)
      switch try tree.literal("op", of: object, QueryOp.self) {
      case .put:
        return .put(
          hash: try tree.text("hash", of: object),
          ttl: try tree.optional("ttl", of: object) { (tree, json) throws(JSONError) in
            try tree.double(json)
          })
      case .del: return .del(hash: try tree.text("hash", of: object))
      case .clear: return .clear
      }
    }
  }

  mutating func mutations(_ json: JSONValue) throws(JSONError) -> [PokePatches.MutationOperation] {
    try array(json) { (tree, json) throws(JSONError) in
      let object = try tree.object(json)
      switch try tree.literal("op", of: object, MutationOp.self) {
      case .put:
        return try tree.member("mutation", of: object) { (tree, json) throws(JSONError) in
          let mutation = try tree.object(json)
          let (clientID, id) = try tree.mutationID(mutation)
          let result = try tree.member("result", of: mutation) { (tree, json) throws(JSONError) in
            try tree.object(json)
          }
          return .put(clientID: clientID, id: id, result: result)
        }
      case .del:
        let (clientID, id) = try tree.mutationID(object)
        return .del(clientID: clientID, id: id)
      }
    }
  }

  /// The columns of a key, whose values are strings, numbers and booleans.
  mutating func key(_ json: JSONValue) throws(JSONError) -> [(name: String, value: JSONValue)] {
    try entries(json) { (tree, name, json) throws(JSONError) in
      switch json {
      case .string, .number, .bool: return (name: name, value: json)
      default: throw tree.mismatch("a string, number or boolean", json)
      }
    }
  }

  // MARK: -

  private enum QueryOp: String, CaseIterable { case put, del, clear }
  private enum MutationOp: String, CaseIterable { case put, del }

  /// The member `id` of an object.
  private mutating func mutationID(
    _ object: JSONObject
  ) throws(JSONError) -> (clientID: String, id: Double) {
    try member("id", of: object) { (tree, json) throws(JSONError) in
      let object = try tree.object(json)
      let id = try tree.member("id", of: object) { (tree, json) throws(JSONError) in
        try tree.double(json)
      }
      return (try tree.text("clientID", of: object), id)
    }
  }

  private mutating func text(_ name: String, of object: JSONObject) throws(JSONError) -> String {
    try member(name, of: object) { (tree, json) throws(JSONError) in try tree.string(json) }
  }

  private func double(_ json: JSONValue) throws(JSONError) -> Double {
    guard case .number(let number) = json else { throw mismatch("a number", json) }
    return number
  }
}
