/// What the app's API server made of a mutation.
public enum MutationResult: Sendable, Equatable {
  /// It was applied. Current API servers do not say so: the last mutation ID does.
  case success(data: JSONValue?)
  /// The mutator failed. The mutation counts as processed and had no effect.
  case appError(message: String?, details: JSONValue?)
  /// It had been processed before, which is as good as success.
  case alreadyProcessed(details: JSONValue?)
  /// Its ID was not the one that was due. Deprecated.
  case outOfOrder(details: JSONValue?)
  /// It claims an error in none of these forms. Let through where unknown members are, and refused
  /// when it is read strictly, as results in storage are.
  case unrecognized(JSONObject)

  /// Reads a result.
  /// - Throws: `wrongType`, and where unknown members are refused `invalidValue`, `unknownMember`.
  public init(json: JSONValue, unknownMembers: UnknownMembers = .refused) throws(JSONError) {
    self = try Self.decode(json, unknownMembers: unknownMembers)
  }

  /// The JSON form.
  public var json: JSONValue { jsonValue }
}

extension MutationResult: MessageObject {
  private enum ErrorWord: String, MessageLiteral { case app, oooMutation, alreadyProcessed }

  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> MutationResult {
    let object = try decoder.object(json)
    do {
      var members = MemberReader(object, decoder)
      let result = try MutationResult(&members)
      try members.finish()
      return result
    } catch {
      guard decoder.unknownMembers == .kept else { throw error }
      return .unrecognized(object)
    }
  }

  init(_ members: inout MemberReader) throws(JSONError) {
    guard members.has("error") else {
      self = .success(data: try members.optional("data"))
      return
    }
    switch try members.required("error", as: ErrorWord.self) {
    case .app:
      self = .appError(
        message: try members.optional("message"), details: try members.optional("details"))
    case .oooMutation: self = .outOfOrder(details: try members.optional("details"))
    case .alreadyProcessed: self = .alreadyProcessed(details: try members.optional("details"))
    }
  }

  func write(_ members: inout MemberWriter) {
    switch self {
    case .success(let data): members.putIfPresent("data", data)
    case .appError(let message, let details):
      members.put("error", ErrorWord.app)
      members.putIfPresent("message", message)
      members.putIfPresent("details", details)
    case .alreadyProcessed(let details):
      members.put("error", ErrorWord.alreadyProcessed)
      members.putIfPresent("details", details)
    case .outOfOrder(let details):
      members.put("error", ErrorWord.oooMutation)
      members.putIfPresent("details", details)
    case .unrecognized(let object):
      for (name, value) in object.members { members.put(name, value) }
    }
  }
}

/// A mutation and what became of it.
public struct MutationResponse: Sendable, Equatable {
  /// The mutation.
  public var id: MutationID
  /// What became of it.
  public var result: MutationResult

  public init(id: MutationID, result: MutationResult) {
    self.id = id
    self.result = result
  }
}

extension MutationResponse: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    id = try members.required("id")
    result = try members.required("result")
  }

  func write(_ members: inout MemberWriter) {
    members.put("id", id)
    members.put("result", result)
  }
}
