/// The direct answer to a push, which only old servers send.
public enum PushResponse: Sendable, Equatable {
  /// What became of the mutations of the push.
  case results([MutationResponse])
  /// None was processed.
  case failed(PushFailure)

  /// Why a push failed as a whole.
  public struct PushFailure: Sendable, Equatable {
    /// What went wrong.
    public enum Kind: Sendable, Equatable {
      case unsupportedPushVersion
      case unsupportedSchemaVersion
      /// The mutate endpoint answered with this HTTP status.
      case http(status: Double, details: String)
      case zeroPusher(details: String)
    }

    /// What went wrong.
    public var kind: Kind
    /// The mutations that were not processed.
    public var mutationIDs: [MutationID]?

    public init(_ kind: Kind, mutationIDs: [MutationID]? = nil) {
      self.kind = kind
      self.mutationIDs = mutationIDs
    }
  }
}

extension PushResponse: MessageObject {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> PushResponse {
    let object = try decoder.object(json)
    var members = MemberReader(object, decoder)
    do {
      if members.has("mutations") {
        let response = PushResponse.results(try members.required("mutations"))
        try members.finish()
        return response
      }
    } catch {
      // Where unknown members are kept, `mutations` may be one of a failure.
      guard decoder.unknownMembers == .kept, members.has("error") else { throw error }
      members = MemberReader(object, decoder)
    }
    let response = try PushResponse(&members)
    try members.finish()
    return response
  }

  init(_ members: inout MemberReader) throws(JSONError) {
    self = .failed(try PushFailure(&members))
  }

  func write(_ members: inout MemberWriter) {
    switch self {
    case .results(let mutations): members.put("mutations", mutations)
    case .failed(let failure): failure.write(&members)
    }
  }
}

extension PushResponse.PushFailure: MessageObject {
  private enum Word: String, MessageLiteral {
    case unsupportedPushVersion, unsupportedSchemaVersion, http, zeroPusher
  }

  init(_ members: inout MemberReader) throws(JSONError) {
    switch try members.required("error", as: Word.self) {
    case .unsupportedPushVersion: kind = .unsupportedPushVersion
    case .unsupportedSchemaVersion: kind = .unsupportedSchemaVersion
    case .http:
      kind = .http(
        status: try members.required("status"), details: try members.required("details"))
    case .zeroPusher: kind = .zeroPusher(details: try members.required("details"))
    }
    mutationIDs = try members.optional("mutationIDs")
  }

  func write(_ members: inout MemberWriter) {
    switch kind {
    case .unsupportedPushVersion: members.put("error", Word.unsupportedPushVersion)
    case .unsupportedSchemaVersion: members.put("error", Word.unsupportedSchemaVersion)
    case .http(let status, let details):
      members.put("error", Word.http)
      members.put("status", status)
      members.put("details", details)
    case .zeroPusher(let details):
      members.put("error", Word.zeroPusher)
      members.put("details", details)
    }
    members.putIfPresent("mutationIDs", mutationIDs)
  }
}
