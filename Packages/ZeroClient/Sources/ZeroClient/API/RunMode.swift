/// What ``Zero/run(_:until:ttl:)-(QueryRequest<Output,Context>,_,_)`` waits for.
public enum RunMode: Sendable {
  /// Nothing: the rows that are here.
  case local
  /// Nothing either: what was synced before, which is complete if the server has confirmed the query to
  /// this client group.
  case cached
  /// The server's confirmation.
  case complete
}
