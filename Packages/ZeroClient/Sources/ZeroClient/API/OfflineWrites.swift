/// What happens to mutations that are made while there is no connection.
public enum OfflineWrites: Sendable, Equatable {
  /// Once the connection counts as lost, mutations are refused until it is back.
  case refuse
  /// Mutations are accepted and stored, and sent in order on return. When `limit` of them wait, further
  /// ones are refused.
  case queue(limit: Int)
}
