extension ServerError: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    kind = try members.required("kind")
    message = try members.required("message")
    switch kind {
    case .rebalance, .rehome, .serverOverloaded:
      origin = try members.optional("origin")
      guard origin != .server else {
        throw members.error(.invalidValue, at: "origin", "expected \"zeroCache\"")
      }
      payload = .backoff(
        Backoff(
          minBackoffMs: try members.optional("minBackoffMs"),
          maxBackoffMs: try members.optional("maxBackoffMs"),
          reconnectParams: try members.optional("reconnectParams")))
    case .pushFailed:
      let origin: Origin = try members.required("origin")
      let failure = try EndpointFailure(
        &members,
        reasons: origin == .server
          ? [.database, .parse, .oooMutation, .unsupportedPushVersion, .internal]
          : [.http, .timeout, .parse, .internal])
      self.origin = origin
      payload = .push(failure, mutationIDs: try members.required("mutationIDs"))
    case .transformFailed:
      let origin: Origin = try members.required("origin")
      let failure = try EndpointFailure(
        &members,
        reasons: origin == .server
          ? [.database, .parse, .internal] : [.http, .timeout, .parse, .internal])
      self.origin = origin
      payload = .transform(failure, queryIDs: try members.required("queryIDs"))
    default:
      origin = try members.optional("origin")
      payload = .basic
    }
  }

  func write(_ members: inout MemberWriter) {
    members.put("kind", kind)
    switch payload {
    case .basic:
      members.put("message", message)
      members.putIfPresent("origin", origin)
    case .backoff(let backoff):
      members.put("message", message)
      members.putIfPresent("minBackoffMs", backoff.minBackoffMs)
      members.putIfPresent("maxBackoffMs", backoff.maxBackoffMs)
      members.putIfPresent("reconnectParams", backoff.reconnectParams)
      members.putIfPresent("origin", origin)
    case .push(let failure, let mutationIDs):
      members.putIfPresent("origin", origin)
      failure.write(&members, message)
      members.put("mutationIDs", mutationIDs)
    case .transform(let failure, let queryIDs):
      members.putIfPresent("origin", origin)
      failure.write(&members, message)
      members.put("queryIDs", queryIDs)
    }
  }
}

extension EndpointFailure {
  /// Reads the members that push and transform failures share.
  fileprivate init(
    _ members: inout MemberReader, reasons: [Reason]
  ) throws(JSONError) {
    reason = try members.required("reason")
    guard reasons.contains(reason) else {
      let words = reasons.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw members.error(
        .invalidValue, at: "reason", "from this origin the reason is one of \(words)")
    }
    if reason == .http {
      status = try members.required("status")
      bodyPreview = try members.optional("bodyPreview")
    }
    details = try members.optional("details")
  }

  fileprivate func write(_ members: inout MemberWriter, _ message: String) {
    members.put("reason", reason)
    members.putIfPresent("status", status)
    members.putIfPresent("bodyPreview", bodyPreview)
    members.put("message", message)
    members.putIfPresent("details", details)
  }
}

extension ServerError.Kind: MessageLiteral {}
extension ServerError.Origin: MessageLiteral {}
extension EndpointFailure.Reason: MessageLiteral {}
