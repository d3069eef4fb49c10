import ZeroProtocol

/// A backend of queries and mutators in Swift, which work on the server's own tables.
@MainActor final class RegistryBackend: Backend {
  private let registry: ServerRegistry
  private let database: Database
  private let names: NameMapper
  /// Tells which user a token stands for.
  var tokens: TokenList
  /// Hears of each transaction as it is committed.
  var onCommit: (Commit) -> Void = { _ in }

  init(_ registry: ServerRegistry, database: Database, tokens: TokenList) {
    self.registry = registry
    self.database = database
    self.tokens = tokens
    names = NameMapper(database.schema.client, .clientToServer)
  }

  func transform(_ request: TransformCall, answer: @escaping (TransformOutcome) -> Void) {
    switch tokens.user(of: request.caller.token) {
    case .failure(let failure): answer(.failed(failure))
    case .success(let user):
      let context = ServerContext(userID: user)
      let queries = request.queries.map { transform($0, context) }
      answer(.answered(userID: user.map(UserClaim.user) ?? .nobody, queries: queries))
    }
  }

  func mutate(_ request: MutateCall, answer: @escaping (MutateOutcome) -> Void) {
    switch tokens.user(of: request.caller.token) {
    case .failure(let failure): answer(.failed(failure, mutations: request.mutations))
    case .success(let user):
      let claim = user.map(UserClaim.user) ?? .nobody
      // A transaction cannot wait for zero-cache to compare the users, so it is done first.
      guard claim.accepts(request.caller.userID) else { return answer(.answered(userID: claim)) }
      answer(run(request, ServerContext(userID: user), claim))
    }
  }

  // MARK: -

  private func transform(
    _ query: TransformCall.Query, _ context: ServerContext
  ) -> TransformedQuery {
    do {
      guard let body = registry.query(named: query.name) else {
        throw ApplicationError("Query not found: \(query.name)")
      }
      return .query(
        id: query.id, try body(query.arguments.first, context).mapped(by: names))
    } catch {
      let error = ApplicationError(wrapping: error)
      var refusal: JSONObject = [
        "error": .string("app"), "id": .string(query.id), "name": .string(query.name),
        "message": .string(error.message),
      ]
      refusal["details"] = error.details
      return .refused(id: query.id, refusal)
    }
  }

  private func run(
    _ request: MutateCall, _ context: ServerContext, _ claim: UserClaim
  ) -> MutateOutcome {
    if let version = request.body["pushVersion"], version != .number(1) {
      let failure = BackendFailure(
        origin: "server", reason: "unsupportedPushVersion",
        message: "Unsupported push version: \(version.jsonString)")
      return .failed(failure, mutations: request.mutations)
    }
    for (place, mutation) in request.mutations.enumerated() {
      if mutation.name == ClientGroup.cleanupName {
        cleanUp(mutation, group: request.caller.groupID)
        continue
      }
      let client = ClientKey(group: request.caller.groupID, client: mutation.clientID)
      let expected = (database.lastMutationIDs[client] ?? 0) + 1
      if mutation.id < expected { continue }
      if mutation.id > expected {
        let failure = BackendFailure(
          origin: "server", reason: "oooMutation",
          message:
            "Client \(mutation.clientID) sent mutation ID \(mutation.id) but expected \(expected)"
        )
        return .failed(failure, mutations: Array(request.mutations[place...]))
      }
      run(mutation, client, context)
    }
    return .answered(userID: claim)
  }

  private func run(_ mutation: PushedMutation, _ client: ClientKey, _ context: ServerContext) {
    do {
      let (_, commit) = try database.write { transaction in
        guard let body = registry.mutators[UTF8Key(mutation.name)] else {
          throw ApplicationError("Mutator not found: \(mutation.name)")
        }
        transaction.setLastMutationID(mutation.id, of: client)
        try body(
          ServerTransaction(
            transaction, clientID: mutation.clientID, mutationID: mutation.id),
          mutation.arguments.first, context)
      }
      if let commit { onCommit(commit) }
    } catch {
      let error = ApplicationError(wrapping: error)
      var result: JSONObject = ["error": .string("app"), "message": .string(error.message)]
      result["details"] = error.details
      let (_, commit) = database.write { transaction in
        transaction.setLastMutationID(mutation.id, of: client)
        transaction.setResult(.object(result), of: mutation.id, client)
      }
      if let commit { onCommit(commit) }
    }
  }

  private func cleanUp(_ mutation: PushedMutation, group: String) {
    let (_, commit) = database.write { $0.cleanUpResults(mutation.arguments.first, group: group) }
    if let commit { onCommit(commit) }
  }
}

extension DatabaseTransaction {
  /// Forgets the results that the argument of an internal mutation names.
  func cleanUpResults(_ argument: JSONValue?, group: String) {
    guard case .object(let argument)? = argument else { return }
    if case .array(let clients)? = argument["clientIDs"] {
      for case .string(let client) in clients {
        deleteResults(of: ClientKey(group: group, client: client))
      }
    } else if case .string(let client)? = argument["clientID"],
      case .number(let last)? = argument["upToMutationID"], let last = UInt64(exactly: last)
    {
      deleteResults(of: ClientKey(group: group, client: client), upTo: last)
    }
  }
}

/// Which user each token stands for. Meant for development: tokens are made up and never expire.
public struct TokenList: Sendable {
  private var users: [UTF8Key: String] = [:]
  private var revoked: Set<UTF8Key> = []

  /// - Parameter users: user IDs by token.
  public init(_ users: [String: String] = [:]) {
    for (token, user) in users { self.users[UTF8Key(token)] = user }
  }

  /// The token is accepted from now on, also if it was revoked.
  public mutating func accept(_ token: String, as userID: String) {
    users[UTF8Key(token)] = userID
    revoked.remove(UTF8Key(token))
  }

  /// The token is refused until it is restored.
  public mutating func revoke(_ token: String) { revoked.insert(UTF8Key(token)) }

  public mutating func restore(_ token: String) { revoked.remove(UTF8Key(token)) }

  /// The user of a token, nil for no token; a failure as of an API server for any other token.
  func user(of token: String?) -> Result<String?, BackendFailure> {
    guard let token else { return .success(nil) }
    guard !revoked.contains(UTF8Key(token)), let user = users[UTF8Key(token)] else {
      return .failure(.http(status: 401, body: #"{"error":"bad token"}"#))
    }
    return .success(user)
  }
}
