import ZeroProtocol

extension VectorRunner {
  /// Words for errors of other kinds, and what is thrown here in their place.
  private static let otherErrors: [String: any Error] = [
    "error": ThrownError(applicationMessage: "boom"),
    "empty error": ThrownError(applicationMessage: ""),
    "string": ApplicationError(thrown: .string("text")),
    "object": ApplicationError(thrown: .object(["message": .string("x")])),
    "null": ApplicationError(thrown: .null),
    "undefined": ApplicationError(thrown: nil),
    "application": ApplicationError("app"),
  ]

  static let errors = VectorRunner(
    fields: [
      "server", "client", "other", "isZeroError", "isServerError", "isClientError", "isAuthError",
      "isOfflineError", "transition", "reasonKind", "reasonMessage", "backoff",
      "countsAsConnectError", "metric",
    ],
    headerFields: [
      "errorKinds", "errorOrigins", "errorReasons", "clientErrorKinds", "connectionStatuses",
      "updateNeededReasons", "noTransition",
    ]
  ) { file in
    try checkNames(file)
    let noTransition = try file.header("noTransition")
    return { test in
      let original = try thrownError(test)
      let error = ZeroError(original)
      try expectEqual(
        isRecognized(original), try test.bool("isZeroError"), "isZeroError")
      try expectEqual(error.serverKind != nil, try test.bool("isServerError"), "isServerError")
      try expectEqual(original is ClientError, try test.bool("isClientError"), "isClientError")
      try expectEqual(error.needsAuth, try test.bool("isAuthError"), "isAuthError")
      try expectEqual(error.isOffline, try test.bool("isOfflineError"), "isOfflineError")
      try expectEqual(
        error.transition.statusName.map { .string($0) } ?? noTransition,
        try test.json("transition"), "transition")
      try expectEqual(error.kindName, try test.string("reasonKind"), "reasonKind")
      if test.has("countsAsConnectError") {
        try expectEqual(
          error.countsAsConnectError, try test.bool("countsAsConnectError"),
          "countsAsConnectError")
      }
      if test.has("metric") {
        try expectEqual(error.metricName, try test.string("metric"), "metric")
      }
      try checkBackoff(error, test)
    }
  }

  static let applicationErrors = VectorRunner(
    fields: ["thrown", "message", "details", "same"]
  ) { test in
    let words = try test.string("thrown")
    guard let thrown = applicationThrows[words] else {
      throw VectorFailure("\(words) is not understood")
    }
    let error = ApplicationError(wrapping: thrown)
    try expectEqual(
      error.details ?? .string("undefined"),
      try test.value("details").json() ?? .string("undefined"), "details")
    try expectEqual(
      thrown is ApplicationError && !isFromJSON.contains(words), try test.bool("same"), "same")
    // Texts that the reference makes up to describe a value are not compared.
    guard !describesValue.contains(words) else { return }
    try expectEqual(error.message, try test.string("message"), "message")
  }

  // MARK: -

  private struct ThrownError: ApplicationErrorSource {
    var applicationMessage: String
    var applicationDetails: JSONValue?
    var applicationCause: (any Error)?
  }

  private static let applicationThrows: [String: any Error] = [
    "Error(\"x\")": ThrownError(applicationMessage: "x"),
    "Error(\"\") with cause Error(\"inner\")": ThrownError(
      applicationMessage: "", applicationCause: ThrownError(applicationMessage: "inner")),
    "Error subclass named CustomName": ThrownError(
      applicationMessage: "n", applicationDetails: .object(["name": .string("CustomName")])),
    "Error(\"with details\") carrying details {a:1}": ThrownError(
      applicationMessage: "with details", applicationDetails: .object(["a": .number(1)])),
    "string \"s\"": ApplicationError(thrown: .string("s")),
    "number 5": ApplicationError(thrown: .number(5)),
    "null": ApplicationError(thrown: .null),
    "undefined": ApplicationError(thrown: nil),
    "object {message:\"m\"}": ApplicationError(thrown: .object(["message": .string("m")])),
    "object {details:{d:1}}": ApplicationError(
      thrown: .object(["details": .object(["d": .number(1)])])),
    "object {a:1}": ApplicationError(thrown: .object(["a": .number(1)])),
    "ApplicationError(\"a\",{details:[1]})": ApplicationError(
      "a", details: .array([.number(1)])),
  ]

  private static let isFromJSON: Set<String> = [
    "string \"s\"", "number 5", "null", "undefined", "object {message:\"m\"}",
    "object {details:{d:1}}", "object {a:1}",
  ]

  private static let describesValue: Set<String> = [
    "number 5", "null", "undefined", "object {details:{d:1}}", "object {a:1}",
  ]

  private static func isRecognized(_ error: any Error) -> Bool {
    error is ClientError || (error as? ServerError)?.origin != nil
  }

  private static func thrownError(_ test: VectorCase) throws -> any Error {
    if test.has("server") { return try serverError(try test.object("server")) }
    if test.has("client") {
      let body = try test.object("client")
      guard case .string(let kind)? = body["kind"], let kind = ClientError.Kind(rawValue: kind),
        case .string(let message)? = body["message"], body.count == 2
      else { throw VectorFailure("client error is not understood") }
      return ClientError(kind, message)
    }
    guard let error = otherErrors[try test.string("other")] else {
      throw VectorFailure("other error is not understood")
    }
    return error
  }

  /// An error as it may be found in memory, in combinations too that the wire does not allow.
  static func serverError(_ body: JSONObject) throws -> ServerError {
    func string(_ name: String) throws -> String? {
      switch body[name] {
      case nil: return nil
      case .string(let text)?: return text
      default: throw VectorFailure("\(name) is no string")
      }
    }
    func number(_ name: String) throws -> Double? {
      switch body[name] {
      case nil: return nil
      case .number(let number)?: return number
      default: throw VectorFailure("\(name) is no number")
      }
    }
    let known: Set<String> = [
      "kind", "message", "origin", "reason", "status", "bodyPreview", "mutationIDs", "queryIDs",
      "minBackoffMs", "maxBackoffMs", "reconnectParams", "details",
    ]
    for (name, _) in body.members where !known.contains(name) {
      throw VectorFailure("member \(name) of a server error is not understood")
    }
    guard let kind = try string("kind").flatMap({ ServerError.Kind(rawValue: $0) }),
      let message = try string("message")
    else { throw VectorFailure("server error is not understood") }
    let failure = try string("reason").flatMap { EndpointFailure.Reason(rawValue: $0) }.map {
      EndpointFailure($0, status: try number("status"), bodyPreview: try string("bodyPreview"))
    }
    let payload: ServerError.Payload =
      switch (kind, failure) {
      case (.pushFailed, let failure?): .push(failure, mutationIDs: [])
      case (.transformFailed, let failure?): .transform(failure, queryIDs: [])
      case (.rebalance, _), (.rehome, _), (.serverOverloaded, _):
        .backoff(
          ServerError.Backoff(
            minBackoffMs: try number("minBackoffMs"), maxBackoffMs: try number("maxBackoffMs"),
            reconnectParams: try namedStrings(body["reconnectParams"])))
      default: .basic
      }
    return ServerError(
      kind, message: message, origin: try string("origin").flatMap { .init(rawValue: $0) },
      payload: payload)
  }

  private static func checkBackoff(_ error: ZeroError, _ test: VectorCase) throws {
    guard test.has("backoff") else {
      guard error.backoff == nil else { throw VectorFailure("backoff: expected none") }
      return
    }
    guard case .backoff(let expected) = try serverError(try test.object("backoff")).payload else {
      throw VectorFailure("backoff is not understood")
    }
    guard let backoff = error.backoff else { throw VectorFailure("backoff: expected one") }
    try expectEqual(backoff, expected, "backoff")
  }

  private static func checkNames(_ file: VectorFile) throws {
    try expectNames(ServerError.Kind.allCases, try file.header("errorKinds"), "errorKinds")
    try expectEqual(
      Set(ServerError.Origin.allCases.map(\.rawValue) + ["client"]),
      try strings(try file.header("errorOrigins")), "errorOrigins")
    try expectNames(
      EndpointFailure.Reason.allCases, try file.header("errorReasons"), "errorReasons")
    try expectNames(
      ClientError.Kind.allCases, try file.header("clientErrorKinds"), "clientErrorKinds")
    try expectEqual(
      ["closed", "connected", "connecting", "disconnected", "error", "needs-auth"],
      try strings(try file.header("connectionStatuses")), "connectionStatuses")
    let updateReasons = ServerError.Kind.allCases.map {
      ServerError($0, message: "", origin: .zeroCache)
    }.filter(\.needsUpdate).map(\.kind.rawValue)
    // A new client group asks for an update too, but no error does it.
    try expectEqual(
      Set(updateReasons + ["NewClientGroup"]),
      try strings(try file.header("updateNeededReasons")), "updateNeededReasons")
  }

  private static func expectNames<T: RawRepresentable<String>>(
    _ values: [T], _ json: JSONValue, _ what: String
  ) throws {
    try expectEqual(Set(values.map(\.rawValue)), try strings(json), what)
  }

  private static func strings(_ json: JSONValue) throws -> Set<String> {
    guard case .array(let elements) = json else { throw VectorFailure("no array of strings") }
    return Set(
      try elements.map { element in
        guard case .string(let string) = element else { throw VectorFailure("no string") }
        return string
      })
  }
}

extension ConnectionTransition {
  /// The name of the status that follows; nil if there is none.
  fileprivate var statusName: String? {
    switch self {
    case .keepConnecting: nil
    case .needsAuth: "needs-auth"
    case .error: "error"
    case .disconnected: "disconnected"
    case .closed: "closed"
    }
  }
}

/// An object whose values are strings; nil for nothing.
func namedStrings(_ json: JSONValue?) throws -> NamedValues<String>? {
  guard let json else { return nil }
  guard case .object(let object) = json else { throw VectorFailure("no object of strings") }
  return NamedValues(
    try object.members.map { name, value in
      guard case .string(let string) = value else { throw VectorFailure("\(name) is no string") }
      return (name, string)
    })
}
