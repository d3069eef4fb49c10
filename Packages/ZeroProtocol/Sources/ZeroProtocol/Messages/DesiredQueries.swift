/// A change to the queries that this client wants.
public enum DesiredQueryOp: Sendable, Equatable {
  case put(DesiredQuery)
  /// No longer wanted.
  case del(hash: String)
  /// Wants none any more, at once.
  case clear
}

/// A query that a client wants.
///
/// Clients of today name the query and its arguments. An AST in server names is for old clients, and
/// never goes with a name.
public struct DesiredQuery: Sendable, Equatable {
  /// The query's ID: the hash of name and arguments, or of the AST.
  public var hash: String
  /// Only from old clients, in server names.
  public var ast: AST?
  /// Registered name, as `issues.byStatus`.
  public var name: String?
  /// Nothing if the query was called without arguments, else one element.
  public var args: [JSONValue]?
  /// Milliseconds for which the query stays after it is no longer wanted; nil for the server's
  /// default. A negative number means the maximum.
  public var ttl: Double?

  public init(
    hash: String, ast: AST? = nil, name: String? = nil, args: [JSONValue]? = nil,
    ttl: Double? = nil
  ) {
    self.hash = hash
    self.ast = ast
    self.name = name
    self.args = args
    self.ttl = ttl
  }
}

extension DesiredQueryOp {
  /// The query's ID; nil for `clear`.
  public var hash: String? {
    switch self {
    case .put(let query): query.hash
    case .del(let hash): hash
    case .clear: nil
    }
  }
}

extension DesiredQueryOp: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    switch try members.required("op", as: PatchWord.self) {
    case .put:
      self = .put(
        DesiredQuery(
          hash: try members.required("hash"), ast: try members.optional("ast"),
          name: try members.optional("name"), args: try members.optional("args"),
          ttl: try members.optional("ttl")))
    case .del: self = .del(hash: try members.required("hash"))
    case .clear: self = .clear
    }
  }

  func write(_ members: inout MemberWriter) {
    switch self {
    case .put(let query):
      members.put("op", PatchWord.put)
      members.put("hash", query.hash)
      members.putIfPresent("ast", query.ast)
      members.putIfPresent("name", query.name)
      members.putIfPresent("args", query.args)
      members.putIfPresent("ttl", query.ttl)
    case .del(let hash):
      members.put("op", PatchWord.del)
      members.put("hash", hash)
    case .clear: members.put("op", PatchWord.clear)
    }
  }
}

/// Changes to the queries that this client wants, applied in order.
public struct ChangeDesiredQueries: Sendable, Equatable {
  /// The changes in order.
  public var desiredQueriesPatch: [DesiredQueryOp]
  /// W3C trace context.
  public var traceparent: String?

  public init(desiredQueriesPatch: [DesiredQueryOp], traceparent: String? = nil) {
    self.desiredQueriesPatch = desiredQueriesPatch
    self.traceparent = traceparent
  }
}

extension ChangeDesiredQueries: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    desiredQueriesPatch = try members.required("desiredQueriesPatch")
    traceparent = try members.optional("traceparent")
  }

  func write(_ members: inout MemberWriter) {
    members.put("desiredQueriesPatch", desiredQueriesPatch)
    members.putIfPresent("traceparent", traceparent)
  }
}

extension AST: MessagePart {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> AST {
    try decoder.query(json)
  }
}
