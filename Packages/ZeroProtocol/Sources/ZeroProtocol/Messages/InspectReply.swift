/// An answer of the inspector.
public struct InspectReply: Sendable, Equatable {
  /// What was asked, and so what the answer holds.
  public enum Operation: String, Sendable, CaseIterable {
    case queries, metrics, version, authenticated
    case analyzeQuery = "analyze-query"
    case error
  }

  /// What the answer holds.
  public enum Value: Sendable, Equatable {
    case queries([InspectedQuery])
    case metrics(ServerMetrics)
    case version(String)
    /// Whether the password was right; also false for a question without authentication.
    case authenticated(Bool)
    case analyzeQuery(QueryAnalysis)
    case error(String)
  }

  /// The ID of the question.
  public var id: String
  /// What the answer holds.
  public var value: Value

  public init(id: String, _ value: Value) {
    self.id = id
    self.value = value
  }

  /// What was asked.
  public var operation: Operation {
    switch value {
    case .queries: .queries
    case .metrics: .metrics
    case .version: .version
    case .authenticated: .authenticated
    case .analyzeQuery: .analyzeQuery
    case .error: .error
    }
  }

  /// Reads the answer to a question that was asked, without unknown members.
  /// - Throws: `invalidValue` for an answer to something else, `wrongType`, `missingMember`,
  ///   `invalidLength`, `unknownMember`.
  public init(json: JSONValue, expecting operation: Operation) throws(JSONError) {
    self = try Self.decode(json, unknownMembers: .refused)
    guard self.operation == operation else {
      throw JSONError(
        .invalidValue, path: ["op"],
        message: "expected \"\(operation.rawValue)\", got \"\(self.operation.rawValue)\"")
    }
  }

  /// The JSON form.
  public var json: JSONValue { jsonValue }
}

extension InspectReply: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    let operation = try members.required("op", as: Operation.self)
    id = try members.required("id")
    switch operation {
    case .queries: value = .queries(try members.required("value"))
    case .metrics: value = .metrics(try members.required("value"))
    case .version: value = .version(try members.required("value"))
    case .authenticated: value = .authenticated(try members.required("value"))
    case .analyzeQuery: value = .analyzeQuery(try members.required("value"))
    case .error: value = .error(try members.required("value"))
    }
  }

  func write(_ members: inout MemberWriter) {
    members.put("op", operation)
    members.put("id", id)
    switch value {
    case .queries(let queries): members.put("value", queries)
    case .metrics(let metrics): members.put("value", metrics)
    case .version(let version): members.put("value", version)
    case .authenticated(let isAuthenticated): members.put("value", isAuthenticated)
    case .analyzeQuery(let analysis): members.put("value", analysis)
    case .error(let message): members.put("value", message)
    }
  }
}

extension InspectReply.Operation: MessageLiteral {}
