/// A part of a poke's body as JSON, with the server's names. Only the sequence of all parts of a
/// poke means something, not where one ends.
public struct PokePart: Sendable, Equatable {
  /// That of the start.
  public var pokeID: String
  /// Client ID → the last of its mutations that is processed.
  public var lastMutationIDChanges: NamedValues<Double>?
  /// Client ID → changes to the queries that client wants, as the server now records them.
  public var desiredQueriesPatches: NamedValues<[ServerQueryOp]>?
  /// Changes to the set of queries whose rows are complete after this poke.
  public var gotQueriesPatch: [ServerQueryOp]?
  /// Changes to rows. The last one to a key wins.
  public var rowsPatch: [RowOp]?
  /// Changes to the results of mutations.
  public var mutationsPatch: [MutationResultOp]?

  public init(
    pokeID: String, lastMutationIDChanges: NamedValues<Double>? = nil,
    desiredQueriesPatches: NamedValues<[ServerQueryOp]>? = nil,
    gotQueriesPatch: [ServerQueryOp]? = nil, rowsPatch: [RowOp]? = nil,
    mutationsPatch: [MutationResultOp]? = nil
  ) {
    self.pokeID = pokeID
    self.lastMutationIDChanges = lastMutationIDChanges
    self.desiredQueriesPatches = desiredQueriesPatches
    self.gotQueriesPatch = gotQueriesPatch
    self.rowsPatch = rowsPatch
    self.mutationsPatch = mutationsPatch
  }

  /// Reads the array of parts that the binary frames of a poke hold together.
  /// - Throws: `wrongType`, `missingMember`, `invalidValue`, `unknownMember`.
  public static func parts(
    json: JSONValue, unknownMembers: UnknownMembers = .kept
  ) throws(JSONError) -> [PokePart] {
    try [PokePart].decode(json, unknownMembers: unknownMembers)
  }

  /// The JSON form.
  public var json: JSONValue { jsonValue }
}

extension PokePart: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    pokeID = try members.required("pokeID")
    lastMutationIDChanges = try members.optional("lastMutationIDChanges")
    desiredQueriesPatches = try members.optional("desiredQueriesPatches")
    gotQueriesPatch = try members.optional("gotQueriesPatch")
    rowsPatch = try members.optional("rowsPatch")
    mutationsPatch = try members.optional("mutationsPatch")
  }

  func write(_ members: inout MemberWriter) {
    members.put("pokeID", pokeID)
    members.putIfPresent("lastMutationIDChanges", lastMutationIDChanges)
    members.putIfPresent("desiredQueriesPatches", desiredQueriesPatches)
    members.putIfPresent("gotQueriesPatch", gotQueriesPatch)
    members.putIfPresent("rowsPatch", rowsPatch)
    members.putIfPresent("mutationsPatch", mutationsPatch)
  }
}

/// A change to a set of queries, as the server reports it.
public enum ServerQueryOp: Sendable, Equatable {
  /// The TTL, in milliseconds, is not sent by current servers.
  case put(hash: String, ttl: Double? = nil)
  case del(hash: String)
  /// Not sent by current servers.
  case clear
}

extension ServerQueryOp: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    switch try members.required("op", as: PatchWord.self) {
    case .put:
      self = .put(hash: try members.required("hash"), ttl: try members.optional("ttl"))
    case .del: self = .del(hash: try members.required("hash"))
    case .clear: self = .clear
    }
  }

  func write(_ members: inout MemberWriter) {
    switch self {
    case .put(let hash, let ttl):
      members.put("op", PatchWord.put)
      members.put("hash", hash)
      members.putIfPresent("ttl", ttl)
    case .del(let hash):
      members.put("op", PatchWord.del)
      members.put("hash", hash)
    case .clear: members.put("op", PatchWord.clear)
    }
  }
}

/// The operations of patches of queries.
enum PatchWord: String, MessageLiteral { case put, del, clear }

/// A change to the results of mutations that the server keeps.
public enum MutationResultOp: Sendable, Equatable {
  case put(MutationResponse)
  /// The server forgot the result.
  case del(MutationID)
}

extension MutationResultOp: MessageObject {
  private enum Word: String, MessageLiteral { case put, del }

  init(_ members: inout MemberReader) throws(JSONError) {
    switch try members.required("op", as: Word.self) {
    case .put: self = .put(try members.required("mutation"))
    case .del: self = .del(try members.required("id"))
    }
  }

  func write(_ members: inout MemberWriter) {
    switch self {
    case .put(let response):
      members.put("op", Word.put)
      members.put("mutation", response)
    case .del(let id):
      members.put("op", Word.del)
      members.put("id", id)
    }
  }
}
