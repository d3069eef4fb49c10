/// A message from a client to the server.
///
/// On the wire it is a text frame with an array of a type and a body. A server refuses members that
/// it does not know, so a client must send nothing that is newer than the version it declared.
public enum UpstreamMessage: Sendable, Equatable {
  case initConnection(InitConnection)
  case changeDesiredQueries(ChangeDesiredQueries)
  case push(Push)
  case ackMutationResponses(AckMutationResponses)
  /// Since version 48.
  case updateAuth(UpdateAuth)
  case deleteClients(DeleteClients)
  case ping
  /// Accepted and ignored by servers.
  case pull(PullRequest)
  case inspect(InspectRequest)
  /// Accepted and ignored by servers, with any array.
  case closeConnection([JSONValue])

  /// Reads the text of a frame.
  /// - Throws: as ``init(json:unknownMembers:)``, and what is wrong with text that is no JSON.
  public init(
    text: [UInt8], unknownMembers: UnknownMembers = .refused
  ) throws(JSONError) {
    try self.init(json: JSONValue(parsing: text), unknownMembers: unknownMembers)
  }

  /// Reads a message.
  /// - Parameter unknownMembers: a server refuses them.
  /// - Throws: `wrongType`, `missingMember`, `invalidValue` (an unknown type or word among others),
  ///   `invalidLength`, `unknownMember`, `tooDeep`, with the path to the problem.
  public init(
    json: JSONValue, unknownMembers: UnknownMembers = .refused
  ) throws(JSONError) {
    let frame = try MessageFrame<Kind>(json, unknownMembers: unknownMembers)
    switch frame.kind {
    case .initConnection: self = .initConnection(try frame.body())
    case .changeDesiredQueries: self = .changeDesiredQueries(try frame.body())
    case .push: self = .push(try frame.body())
    case .ackMutationResponses: self = .ackMutationResponses(try frame.body())
    case .updateAuth: self = .updateAuth(try frame.body())
    case .deleteClients: self = .deleteClients(try frame.body())
    case .ping:
      _ = try frame.body(as: EmptyBody.self)
      self = .ping
    case .pull: self = .pull(try frame.body())
    case .inspect: self = .inspect(try frame.body())
    case .closeConnection: self = .closeConnection(try frame.body())
    }
  }

  /// The message's type on the wire.
  public var type: String { kind.rawValue }

  /// The JSON form.
  public var jsonValue: JSONValue {
    let body: any MessagePart =
      switch self {
      case .initConnection(let body): body
      case .changeDesiredQueries(let body): body
      case .push(let body): body
      case .ackMutationResponses(let body): body
      case .updateAuth(let body): body
      case .deleteClients(let body): body
      case .ping: EmptyBody()
      case .pull(let body): body
      case .inspect(let body): body
      case .closeConnection(let body): body
      }
    return .array([.string(type), body.jsonValue])
  }

  /// The text of the frame, as UTF-8.
  public var text: [UInt8] { jsonValue.jsonText }

  // MARK: -

  private enum Kind: String, MessageLiteral {
    case initConnection, changeDesiredQueries, push, ackMutationResponses, updateAuth
    case deleteClients, ping, pull, inspect, closeConnection
  }

  private var kind: Kind {
    switch self {
    case .initConnection: .initConnection
    case .changeDesiredQueries: .changeDesiredQueries
    case .push: .push
    case .ackMutationResponses: .ackMutationResponses
    case .updateAuth: .updateAuth
    case .deleteClients: .deleteClients
    case .ping: .ping
    case .pull: .pull
    case .inspect: .inspect
    case .closeConnection: .closeConnection
    }
  }
}
