/// Why the app's API server could not give a named query its AST.
///
/// Views of the query show it as their error. The server has dropped the query; asking again means
/// to put it again.
public struct QueryError: Error, Sendable, Equatable {
  /// What went wrong.
  public enum Kind: String, Sendable, CaseIterable {
    /// The query's function failed.
    case app
    /// The arguments were refused.
    case parse
  }

  /// What went wrong.
  public var kind: Kind
  /// The query's hash.
  public var id: String
  /// The query's registered name.
  public var name: String
  /// Always there with kind `parse`.
  public var message: String?
  /// What else the endpoint said.
  public var details: JSONValue?

  public init(
    _ kind: Kind, id: String, name: String, message: String? = nil, details: JSONValue? = nil
  ) {
    self.kind = kind
    self.id = id
    self.name = name
    self.message = message
    self.details = details
  }
}

extension QueryError: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    kind = try members.required("error")
    id = try members.required("id")
    name = try members.required("name")
    message = kind == .parse ? try members.required("message") : try members.optional("message")
    details = try members.optional("details")
  }

  func write(_ members: inout MemberWriter) {
    members.put("error", kind)
    members.put("id", id)
    members.put("name", name)
    members.putIfPresent("message", message)
    members.putIfPresent("details", details)
  }
}

extension QueryError.Kind: MessageLiteral {}
