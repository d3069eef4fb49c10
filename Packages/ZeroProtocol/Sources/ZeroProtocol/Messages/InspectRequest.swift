/// A question of the inspector, a channel for debugging. The answer carries the same ID.
public struct InspectRequest: Sendable, Equatable {
  /// What is asked.
  public enum Operation: Sendable, Equatable {
    /// The queries of one client, or of all clients of the group.
    case queries(clientID: String? = nil)
    case metrics
    case version
    case authenticate(password: String)
    case analyzeQuery(AnalyzeQuery)
  }

  /// A query whose plan is to be explained, given as an AST or by name.
  public struct AnalyzeQuery: Sendable, Equatable {
    /// What the analysis should report.
    public struct Options: Sendable, Equatable {
      /// The rows that were read.
      public var vendedRows: Bool?
      /// The rows of the result.
      public var syncedRows: Bool?
      /// How the order of joins was found.
      public var joinPlans: Bool?

      public init(vendedRows: Bool? = nil, syncedRows: Bool? = nil, joinPlans: Bool? = nil) {
        self.vendedRows = vendedRows
        self.syncedRows = syncedRows
        self.joinPlans = joinPlans
      }
    }

    /// The AST, where old clients put it.
    public var value: AST?
    /// What to report beyond counts.
    public var options: Options?
    /// The query, if it is not named.
    public var ast: AST?
    /// Registered name of the query.
    public var name: String?
    /// Arguments of the named query.
    public var args: [JSONValue]?

    public init(
      ast: AST? = nil, name: String? = nil, args: [JSONValue]? = nil, options: Options? = nil,
      value: AST? = nil
    ) {
      self.value = value
      self.options = options
      self.ast = ast
      self.name = name
      self.args = args
    }
  }

  /// Pairs the answer with this question.
  public var id: String
  /// What is asked.
  public var operation: Operation

  public init(id: String, _ operation: Operation) {
    self.id = id
    self.operation = operation
  }
}

extension InspectRequest: MessageObject {
  private enum Word: String, MessageLiteral {
    case queries, metrics, version, authenticate
    case analyzeQuery = "analyze-query"
  }

  init(_ members: inout MemberReader) throws(JSONError) {
    let word = try members.required("op", as: Word.self)
    id = try members.required("id")
    switch word {
    case .queries: operation = .queries(clientID: try members.optional("clientID"))
    case .metrics: operation = .metrics
    case .version: operation = .version
    case .authenticate: operation = .authenticate(password: try members.required("value"))
    case .analyzeQuery:
      operation = .analyzeQuery(
        AnalyzeQuery(
          ast: try members.optional("ast"), name: try members.optional("name"),
          args: try members.optional("args"), options: try members.optional("options"),
          value: try members.optional("value")))
    }
  }

  func write(_ members: inout MemberWriter) {
    let word: Word =
      switch operation {
      case .queries: .queries
      case .metrics: .metrics
      case .version: .version
      case .authenticate: .authenticate
      case .analyzeQuery: .analyzeQuery
      }
    members.put("op", word)
    members.put("id", id)
    switch operation {
    case .queries(let clientID): members.putIfPresent("clientID", clientID)
    case .metrics, .version: break
    case .authenticate(let password): members.put("value", password)
    case .analyzeQuery(let query):
      members.putIfPresent("value", query.value)
      members.putIfPresent("options", query.options)
      members.putIfPresent("ast", query.ast)
      members.putIfPresent("name", query.name)
      members.putIfPresent("args", query.args)
    }
  }
}

extension InspectRequest.AnalyzeQuery.Options: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    vendedRows = try members.optional("vendedRows")
    syncedRows = try members.optional("syncedRows")
    joinPlans = try members.optional("joinPlans")
  }

  func write(_ members: inout MemberWriter) {
    members.putIfPresent("vendedRows", vendedRows)
    members.putIfPresent("syncedRows", syncedRows)
    members.putIfPresent("joinPlans", joinPlans)
  }
}
