/// The server accepted the connection.
public struct Connected: Sendable, Equatable {
  /// The ID that the client gave this attempt; empty if it gave none.
  public var wsid: String
  /// The server's wall clock, in milliseconds since 1970.
  public var timestamp: Double?

  public init(wsid: String, timestamp: Double? = nil) {
    self.wsid = wsid
    self.timestamp = timestamp
  }
}

extension Connected: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    wsid = try members.required("wsid")
    timestamp = try members.optional("timestamp")
  }

  func write(_ members: inout MemberWriter) {
    members.put("wsid", wsid)
    members.putIfPresent("timestamp", timestamp)
  }
}
