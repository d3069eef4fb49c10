public import ZeroProtocol

/// What became of a mutation, here or on the server.
///
/// Outcomes never fail: whatever goes wrong is one of the values, so that a call can be ignored.
public enum MutationOutcome: Sendable {
  /// The mutator did what it is for.
  case success
  /// The mutator failed, here or on the server. Nothing of it was kept.
  case applicationError(ApplicationError)
  /// The client's state did not allow it, or the server's answer cannot be waited for any more. If
  /// the mutation had run here, it stays queued and is sent later all the same.
  case zeroError(ZeroError)

  /// The error, if there is one.
  public var error: (any Error)? {
    switch self {
    case .success: nil
    case .applicationError(let error): error
    case .zeroError(let error): error
    }
  }

  /// Whether it is a success.
  public var isSuccess: Bool { if case .success = self { true } else { false } }
}
