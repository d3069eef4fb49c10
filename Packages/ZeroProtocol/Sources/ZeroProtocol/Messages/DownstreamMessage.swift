/// A message from the server to a client.
///
/// On the wire it is a text frame with an array of a type and a body. A client ignores members that
/// it does not know and refuses everything else it does not: types, kinds, operations, reasons.
public enum DownstreamMessage: Sendable, Equatable {
  case connected(Connected)
  case error(ServerError)
  case pong
  case pokeStart(PokeStart)
  /// Only up to version 51; later the body of a poke comes in binary frames.
  case pokePart(PokePart)
  case pokeEnd(PokeEnd)
  case deleteClients(DeleteClients)
  case transformError([QueryError])
  /// Only from old servers.
  case pushResponse(PushResponse)
  /// Not sent by current servers.
  case pull(PullResponse)
  case inspect(InspectReply)

  /// Reads the text of a frame.
  /// - Throws: as ``init(json:unknownMembers:)``, and what is wrong with text that is no JSON.
  public init(text: [UInt8], unknownMembers: UnknownMembers = .kept) throws(JSONError) {
    try self.init(json: JSONValue(parsing: text), unknownMembers: unknownMembers)
  }

  /// Reads a message.
  /// - Parameter unknownMembers: a client ignores them.
  /// - Throws: `wrongType`, `missingMember`, `invalidValue` (an unknown type or word among others),
  ///   `invalidLength`, `tooDeep`, with the path to the problem.
  public init(json: JSONValue, unknownMembers: UnknownMembers = .kept) throws(JSONError) {
    let frame = try MessageFrame<Kind>(json, unknownMembers: unknownMembers)
    switch frame.kind {
    case .connected: self = .connected(try frame.body())
    case .error: self = .error(try frame.body())
    case .pong:
      _ = try frame.body(as: EmptyBody.self)
      self = .pong
    case .pokeStart: self = .pokeStart(try frame.body())
    case .pokePart: self = .pokePart(try frame.body())
    case .pokeEnd: self = .pokeEnd(try frame.body())
    case .deleteClients: self = .deleteClients(try frame.body())
    case .transformError: self = .transformError(try frame.body())
    case .pushResponse: self = .pushResponse(try frame.body())
    case .pull: self = .pull(try frame.body())
    case .inspect: self = .inspect(try frame.body())
    }
  }

  /// The message's type on the wire.
  public var type: String { kind.rawValue }

  /// The JSON form.
  public var jsonValue: JSONValue {
    let body: any MessagePart =
      switch self {
      case .connected(let body): body
      case .error(let body): body
      case .pong: EmptyBody()
      case .pokeStart(let body): body
      case .pokePart(let body): body
      case .pokeEnd(let body): body
      case .deleteClients(let body): body
      case .transformError(let body): body
      case .pushResponse(let body): body
      case .pull(let body): body
      case .inspect(let body): body
      }
    return .array([.string(type), body.jsonValue])
  }

  /// The text of the frame, as UTF-8.
  public var text: [UInt8] { jsonValue.jsonText }

  // MARK: -

  private enum Kind: String, MessageLiteral {
    case connected, error, pong, pokeStart, pokePart, pokeEnd, deleteClients, transformError
    case pushResponse, pull, inspect
  }

  private var kind: Kind {
    switch self {
    case .connected: .connected
    case .error: .error
    case .pong: .pong
    case .pokeStart: .pokeStart
    case .pokePart: .pokePart
    case .pokeEnd: .pokeEnd
    case .deleteClients: .deleteClients
    case .transformError: .transformError
    case .pushResponse: .pushResponse
    case .pull: .pull
    case .inspect: .inspect
    }
  }
}
