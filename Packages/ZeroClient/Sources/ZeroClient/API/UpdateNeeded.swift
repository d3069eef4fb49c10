/// Why an app has to be updated before it can sync again.
public struct UpdateNeeded: Sendable, Equatable {
  /// What does not fit.
  public enum Reason: String, Sendable {
    /// The server does not speak this client's version of the protocol.
    case protocolNotSupported = "VersionNotSupported"
    /// The server's database does not fit this client's schema.
    case schemaNotSupported = "SchemaVersionNotSupported"
  }

  /// What does not fit.
  public let reason: Reason
  /// The server's words.
  public let message: String
}
