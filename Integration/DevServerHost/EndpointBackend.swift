public import ZeroDevServer
public import ZeroProtocol

/// A backend that is an app's API server, asked over HTTP exactly as zero-cache asks it.
///
/// The API server's database is not seen: mutation IDs and results are taken from its answers, rows
/// from what it writes through the control endpoint.
@MainActor public final class EndpointBackend: Backend {
  private let endpoint: Endpoint
  private let client: EndpointClient
  private let scheduler: any Scheduler
  private var cache: [CacheKey: (query: TransformedQuery, until: Double)] = [:]
  /// The server whose tables follow; set once, before the first client.
  public weak var server: DevServer?

  private struct CacheKey: Hashable {
    let id: String
    let token: String?
    let userID: String?
  }

  /// How long the answer about a query is used for callers of the same token.
  private static let cacheMilliseconds = 5000.0

  public init(_ endpoint: Endpoint, scheduler: any Scheduler) {
    self.endpoint = endpoint
    self.scheduler = scheduler
    client = EndpointClient(endpoint, scheduler: scheduler)
  }

  public func transform(
    _ call: TransformCall, answer: @escaping (TransformOutcome) -> Void
  ) {
    let now = scheduler.monotonicTime
    cache = cache.filter { $0.value.until > now }
    let known = call.queries.compactMap { cache[key($0.id, call.caller)]?.query }
    let asked = call.queries.filter { cache[key($0.id, call.caller)] == nil }
    guard !asked.isEmpty || call.queries.isEmpty else {
      return answer(.answered(userID: .unstated, queries: known))
    }
    let request = TransformRequest(
      asked.map { TransformRequest.Query(id: $0.id, name: $0.name, args: $0.arguments) })
    client.post(request.json, to: endpoint.queryURL, call.caller) { [self] result in
      switch result {
      case .failure(let failure): answer(.failed(failure))
      case .success(let json): answer(outcome(json, known: known, call.caller))
      }
    }
  }

  public func mutate(_ call: MutateCall, answer: @escaping (MutateOutcome) -> Void) {
    // The server keeps the results, so it forgets them, too.
    for mutation in call.mutations where mutation.id == 0 {
      server?.forgetResults(mutation, of: call.caller.groupID)
    }
    var body = call.body
    body["mutations"] = .array(call.mutations.map { .object($0.json) })
    client.post(.object(body), to: endpoint.mutateURL, call.caller) { [self] result in
      switch result {
      case .failure(let failure): answer(.failed(failure, mutations: call.mutations))
      case .success(let json): answer(outcome(json, call))
      }
    }
  }

  // MARK: -

  private func key(_ id: String, _ caller: BackendCaller) -> CacheKey {
    CacheKey(id: id, token: caller.token, userID: caller.userID)
  }

  private func outcome(
    _ json: JSONValue, known: [TransformedQuery], _ caller: BackendCaller
  ) -> TransformOutcome {
    do throws(JSONError) {
      switch try TransformResponse(json: json) {
      case .failed(let error): return .failed(BackendFailure(error))
      case .queries(let queries, let userID):
        var answered = known
        for query in queries {
          switch query {
          case .transformed(let id, _, let ast):
            let query = TransformedQuery.query(id: id, ast)
            cache[key(id, caller)] = (query, scheduler.monotonicTime + Self.cacheMilliseconds)
            answered.append(query)
          case .failed(let error):
            var refusal: JSONObject = [
              "error": .string(error.kind.rawValue), "id": .string(error.id),
              "name": .string(error.name),
            ]
            refusal["message"] = error.message.map(JSONValue.string)
            refusal["details"] = error.details
            answered.append(.refused(id: error.id, refusal))
          }
        }
        return .answered(userID: UserClaim(userID), queries: answered)
      }
    } catch {
      return .failed(.unreadable("\(error)"))
    }
  }

  private func outcome(_ json: JSONValue, _ call: MutateCall) -> MutateOutcome {
    do throws(JSONError) {
      switch try MutateResponse(json: json) {
      case .failed(let error):
        return .failed(BackendFailure(error), mutations: remaining(error, call))
      case .legacy(.failed):
        return .failed(
          .unreadable("it has the form of old versions"), mutations: call.mutations)
      case .legacy(.results(let responses)):
        try server?.confirm(responses, of: call.caller.groupID)
        return .answered(userID: .unstated)
      case .mutations(let responses, let userID):
        let claim = UserClaim(userID)
        if claim.accepts(call.caller.userID) {
          try server?.confirm(responses, of: call.caller.groupID)
        }
        return .answered(userID: claim)
      }
    } catch {
      return .failed(.unreadable("\(error)"), mutations: call.mutations)
    }
  }

  /// The mutations that the endpoint says it did not process.
  private func remaining(_ error: ServerError, _ call: MutateCall) -> [PushedMutation] {
    guard case .push(_, let ids) = error.payload else { return call.mutations }
    return call.mutations.filter { mutation in
      ids.contains(MutationID(id: Double(mutation.id), clientID: mutation.clientID))
    }
  }
}

extension UserClaim {
  fileprivate init(_ field: Field<String>) {
    self =
      switch field {
      case .absent: .unstated
      case .null: .nobody
      case .value(let user): .user(user)
      }
  }
}
