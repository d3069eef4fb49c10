/// A client's mutation: the client that made it and its number there, counted from 1.
public struct MutationID: Sendable, Hashable {
  /// An integer up to 2^53 − 1, though the protocol takes any number.
  public var id: Double
  /// The client that made it.
  public var clientID: String

  public init(id: Double, clientID: String) {
    self.id = id
    self.clientID = clientID
  }

  /// The same number of the same client, IDs compared by UTF-8 bytes.
  public static func == (a: Self, b: Self) -> Bool {
    a.id == b.id && a.clientID.utf8.elementsEqual(b.clientID.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(UTF8Key(clientID))
  }
}

extension MutationID: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    id = try members.required("id")
    clientID = try members.required("clientID")
  }

  func write(_ members: inout MemberWriter) {
    members.put("id", id)
    members.put("clientID", clientID)
  }
}
