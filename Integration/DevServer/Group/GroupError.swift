public import ZeroProtocol

/// An error that a connection is told of before it is closed.
public struct GroupError: Error, Sendable {
  public var kind: String
  public var message: String
  public var origin = "zeroCache"
  /// Further members of the message's body, in order.
  public var details: [(String, JSONValue)] = []
  /// Code of the close frame; nil for one without a code.
  public var closeCode: UInt16?

  public init(
    kind: String, message: String, origin: String = "zeroCache",
    details: [(String, JSONValue)] = [], closeCode: UInt16? = nil
  ) {
    self.kind = kind
    self.message = message
    self.origin = origin
    self.details = details
    self.closeCode = closeCode
  }

  /// The body of the `error` message.
  var body: JSONValue {
    var body = JSONObject()
    body["kind"] = .string(kind)
    body["origin"] = .string(origin)
    for (name, value) in details { body[name] = value }
    body["message"] = .string(message)
    return .object(body)
  }
}

extension GroupError {
  static func transformFailed(_ failure: BackendFailure, queries: [String]) -> GroupError {
    failure.error(kind: "TransformFailed", ("queryIDs", .array(queries.map(JSONValue.string))))
  }

  static func pushFailed(_ failure: BackendFailure, mutations: [PushedMutation]) -> GroupError {
    let ids = mutations.map { mutation in
      JSONValue.object(["id": mutation.json["id"] ?? .null, "clientID": .string(mutation.clientID)])
    }
    return failure.error(kind: "PushFailed", ("mutationIDs", .array(ids)))
  }

  static let unauthorizedUser = GroupError(
    kind: "Unauthorized", message: "Connection userID does not match validated server userID.")
}
