/// What a client says in the `Sec-WebSocket-Protocol` header, where browsers let it say something:
/// its first message and its auth token.
public struct SocketProtocolToken: Sendable, Equatable {
  /// The first message as it was received; it is to be checked like any other.
  public var initConnectionMessage: JSONValue?
  /// The user's token; nil if there is none, which an empty one is not.
  public var authToken: String?

  public init(initConnectionMessage: JSONValue? = nil, authToken: String? = nil) {
    self.initConnectionMessage = initConnectionMessage
    self.authToken = authToken
  }

  /// The JSON in the header.
  public var json: JSONValue {
    var object = JSONObject()
    object["initConnectionMessage"] = initConnectionMessage
    object["authToken"] = authToken.map { .string($0) }
    return .object(object)
  }

  /// The header's value, of characters that it may consist of. Never empty.
  public var header: String {
    PercentEncoding.component(Base64.encode(json.jsonText))
  }

  /// Reads a header's value.
  /// - Throws: what is wrong with the JSON in it, or `invalidValue` if there is none.
  public init(header: String) throws(JSONError) {
    var decoder = JSONTreeDecoder(unknownMembers: .kept)
    let object = try decoder.object(try Self.json(header: header))
    authToken = try decoder.optional("authToken", of: object) {
      (decoder, value) throws(JSONError) in
      try decoder.string(value)
    }
    initConnectionMessage = object["initConnectionMessage"]
  }

  /// The JSON in a header's value.
  /// - Throws: as ``init(header:)``.
  public static func json(header: String) throws(JSONError) -> JSONValue {
    guard let text = PercentEncoding.decode(header.utf8, strictly: true),
      String(validating: text, as: UTF8.self) != nil, let bytes = Base64.decode(text)
    else {
      throw JSONError(.invalidValue, message: "the header is not base64 in percent-encoding")
    }
    // As browsers decode it, what is no UTF-8 becomes replacement characters.
    return try JSONValue(parsing: String(decoding: bytes, as: UTF8.self))
  }
}
