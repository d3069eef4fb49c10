/// A query as the inspector shows it.
public struct InspectedQuery: Sendable, Equatable {
  /// How long a query took on the server.
  public struct Metrics: Sendable, Equatable {
    /// Milliseconds until its rows were complete.
    public var hydrationMs: Double?
    /// Milliseconds that changes took.
    public var update: Digest

    public init(hydrationMs: Double? = nil, update: Digest) {
      self.hydrationMs = hydrationMs
      self.update = update
    }
  }

  /// The client that wants it.
  public var clientID: String
  /// The query's hash.
  public var queryID: String
  /// Nil is sent as null, as for `name`, `args` and `inactivatedAt`.
  public var ast: AST?
  /// Registered name; nil for an ad-hoc query.
  public var name: String?
  /// Arguments of a named query.
  public var args: [JSONValue]?
  /// Whether its rows are complete.
  public var got: Bool
  /// Whether the client does not want it any more.
  public var deleted: Bool
  /// Milliseconds; negative for the maximum.
  public var ttl: Double
  /// When the client stopped wanting it, in milliseconds since 1970.
  public var inactivatedAt: Double?
  /// Rows that the server holds for it.
  public var rowCount: Double
  /// Figures, if the server has any.
  public var metrics: Field<Metrics>

  public init(
    clientID: String, queryID: String, ast: AST? = nil, name: String? = nil,
    args: [JSONValue]? = nil, got: Bool, deleted: Bool, ttl: Double,
    inactivatedAt: Double? = nil, rowCount: Double, metrics: Field<Metrics> = .absent
  ) {
    self.clientID = clientID
    self.queryID = queryID
    self.ast = ast
    self.name = name
    self.args = args
    self.got = got
    self.deleted = deleted
    self.ttl = ttl
    self.inactivatedAt = inactivatedAt
    self.rowCount = rowCount
    self.metrics = metrics
  }
}

extension InspectedQuery: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    clientID = try members.required("clientID")
    queryID = try members.required("queryID")
    ast = try members.nullable("ast")
    name = try members.nullable("name")
    args = try members.nullable("args")
    got = try members.required("got")
    deleted = try members.required("deleted")
    ttl = try members.required("ttl")
    inactivatedAt = try members.nullable("inactivatedAt")
    rowCount = try members.required("rowCount")
    metrics = try members.field("metrics")
  }

  func write(_ members: inout MemberWriter) {
    members.put("clientID", clientID)
    members.put("queryID", queryID)
    members.putOrNull("ast", ast)
    members.putOrNull("name", name)
    members.putOrNull("args", args)
    members.put("got", got)
    members.put("deleted", deleted)
    members.put("ttl", ttl)
    members.putOrNull("inactivatedAt", inactivatedAt)
    members.put("rowCount", rowCount)
    members.put("metrics", metrics)
  }
}

extension InspectedQuery.Metrics: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    hydrationMs = try members.optional("query-hydration-server-ms")
    update = try members.required("query-update-server")
  }

  func write(_ members: inout MemberWriter) {
    members.putIfPresent("query-hydration-server-ms", hydrationMs)
    members.put("query-update-server", update)
  }
}

/// A t-digest: the compression, then pairs of mean and weight.
public struct Digest: Sendable, Equatable {
  /// At least one number.
  public var numbers: [Double]

  public init(_ numbers: [Double]) { self.numbers = numbers }
}

extension Digest: MessagePart {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> Digest {
    let numbers = try [Double].read(json, &decoder)
    guard !numbers.isEmpty else {
      throw decoder.error(.invalidLength, "expected at least one number")
    }
    return Digest(numbers)
  }

  var jsonValue: JSONValue { numbers.jsonValue }
}

/// How long queries take on the server.
public struct ServerMetrics: Sendable, Equatable {
  /// Milliseconds until the rows of new queries were complete.
  public var queryMaterialization: Digest
  /// Milliseconds that changes took.
  public var queryUpdate: Digest

  public init(queryMaterialization: Digest, queryUpdate: Digest) {
    self.queryMaterialization = queryMaterialization
    self.queryUpdate = queryUpdate
  }
}

extension ServerMetrics: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    queryMaterialization = try members.required("query-materialization-server")
    queryUpdate = try members.required("query-update-server")
  }

  func write(_ members: inout MemberWriter) {
    members.put("query-materialization-server", queryMaterialization)
    members.put("query-update-server", queryUpdate)
  }
}
