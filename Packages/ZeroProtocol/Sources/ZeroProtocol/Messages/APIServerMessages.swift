/// What a server asks an app's query endpoint: the ASTs of named queries. Without queries it asks
/// whether the credentials are good.
public struct TransformRequest: Sendable, Equatable {
  /// A named query to transform.
  public struct Query: Sendable, Equatable {
    /// The query's hash.
    public var id: String
    /// Its registered name.
    public var name: String
    /// Nothing or one element.
    public var args: [JSONValue]

    public init(id: String, name: String, args: [JSONValue]) {
      self.id = id
      self.name = name
      self.args = args
    }
  }

  /// The queries to transform, in any order.
  public var queries: [Query]

  public init(_ queries: [Query]) { self.queries = queries }

  private enum Kind: String, MessageLiteral { case transform }

  /// Reads the request's body, without unknown members.
  /// - Throws: `wrongType`, `invalidLength`, `invalidValue`, `missingMember`, `unknownMember`.
  public init(json: JSONValue) throws(JSONError) {
    queries = try MessageFrame<Kind>(json, unknownMembers: .refused).body()
  }

  /// The JSON form.
  public var json: JSONValue { .array([Kind.transform.jsonValue, queries.jsonValue]) }
}

extension TransformRequest.Query: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    id = try members.required("id")
    name = try members.required("name")
    args = try members.required("args")
  }

  func write(_ members: inout MemberWriter) {
    members.put("id", id)
    members.put("name", name)
    members.put("args", args)
  }
}

/// What an app's query endpoint answers.
public enum TransformResponse: Sendable, Equatable {
  /// What became of one query.
  public enum Query: Sendable, Equatable {
    /// The AST, in the server's names.
    case transformed(id: String, name: String, ast: AST)
    case failed(QueryError)
  }

  /// - `userID`: whose credentials they are. Absent: the client is trusted. Null: nobody's.
  case queries([Query], userID: Field<String>)
  /// Nothing could be answered.
  case failed(ServerError)

  /// Reads the reply's body, with unknown members ignored.
  /// - Throws: `wrongType`, `invalidLength`, `invalidValue`, `missingMember`, `tooDeep`.
  public init(json: JSONValue) throws(JSONError) {
    if case .array = json {
      let frame = try MessageFrame<LegacyKind>(json, unknownMembers: .kept)
      switch frame.kind {
      case .transformed: self = .queries(try frame.body(), userID: .absent)
      case .transformFailed:
        self = .failed(try APIServerFailure(frame.body(), kind: .transformFailed).error)
      }
      return
    }
    self = try Self.decode(json, unknownMembers: .kept)
  }

  /// The JSON form, as current endpoints write it.
  public var json: JSONValue { jsonValue }

  private enum LegacyKind: String, MessageLiteral { case transformed, transformFailed }
}

extension TransformResponse: MessageObject {
  private enum Kind: String, MessageLiteral {
    case queryResponse = "QueryResponse"
    case transformFailed = "TransformFailed"
  }

  init(_ members: inout MemberReader) throws(JSONError) {
    switch try members.required("kind", as: Kind.self) {
    case .queryResponse:
      let userID = try members.field("userID", as: String.self)
      self = .queries(try members.required("queries"), userID: userID)
    case .transformFailed: self = .failed(try ServerError(&members))
    }
  }

  func write(_ members: inout MemberWriter) {
    switch self {
    case .queries(let queries, let userID):
      members.put("kind", Kind.queryResponse)
      members.put("queries", queries)
      members.put("userID", userID)
    case .failed(let error): error.write(&members)
    }
  }
}

extension TransformResponse.Query: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    if members.has("error") {
      self = .failed(try QueryError(&members))
    } else {
      self = .transformed(
        id: try members.required("id"), name: try members.required("name"),
        ast: try members.required("ast"))
    }
  }

  func write(_ members: inout MemberWriter) {
    switch self {
    case .transformed(let id, let name, let ast):
      members.put("id", id)
      members.put("name", name)
      members.put("ast", ast)
    case .failed(let error): error.write(&members)
    }
  }
}

/// What an app's mutate endpoint answers to a ``Push``.
public enum MutateResponse: Sendable, Equatable {
  /// - `userID`: as in ``TransformResponse``.
  case mutations([MutationResponse], userID: Field<String>)
  /// Not all mutations were processed.
  case failed(ServerError)
  /// In the form of old endpoints.
  case legacy(PushResponse)

  /// Reads the reply's body, with unknown members ignored.
  /// - Throws: `wrongType`, `invalidValue`, `missingMember`.
  public init(json: JSONValue) throws(JSONError) {
    self = try Self.decode(json, unknownMembers: .kept)
  }

  /// The JSON form.
  public var json: JSONValue { jsonValue }
}

extension MutateResponse: MessageObject {
  private enum Kind: String, MessageLiteral {
    case mutateResponse = "MutateResponse"
    case pushFailed = "PushFailed"
  }

  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> MutateResponse {
    let object = try decoder.object(json)
    if object["kind"] == nil, object["mutations"] != nil || object["error"] != nil {
      return .legacy(try PushResponse.read(json, &decoder))
    }
    var members = MemberReader(object, decoder)
    let response = try MutateResponse(&members)
    try members.finish()
    return response
  }

  init(_ members: inout MemberReader) throws(JSONError) {
    switch try members.required("kind", as: Kind.self) {
    case .mutateResponse:
      let userID = try members.field("userID", as: String.self)
      self = .mutations(try members.required("mutations"), userID: userID)
    case .pushFailed: self = .failed(try ServerError(&members))
    }
  }

  func write(_ members: inout MemberWriter) {
    switch self {
    case .mutations(let mutations, let userID):
      members.put("kind", Kind.mutateResponse)
      members.put("mutations", mutations)
      members.put("userID", userID)
    case .failed(let error): error.write(&members)
    case .legacy(let response): response.write(&members)
    }
  }
}

/// A failure that must be of one kind.
private struct APIServerFailure {
  let error: ServerError

  init(_ error: ServerError, kind: ServerError.Kind) throws(JSONError) {
    guard error.kind == kind else {
      throw JSONError(
        .invalidValue, path: [1, "kind"],
        message: "expected \"\(kind.rawValue)\", got \"\(error.kind.rawValue)\"")
    }
    self.error = error
  }
}
