public import ZeroProtocol

/// Who refused the user's credentials.
public enum NeedsAuthReason: Sendable, Equatable {
  /// The app's mutate endpoint, with this HTTP status and the beginning of its reply.
  case mutate(status: Int, body: String?)
  /// The app's query endpoint, with this HTTP status and the beginning of its reply.
  case query(status: Int, body: String?)
  /// zero-cache itself, in these words.
  case zeroCache(reason: String)

  /// - Parameter error: the error that led to the state `needs-auth`.
  @_spi(Engine) public init(_ error: ZeroError) {
    guard case .server(let error) = error, let failure = error.endpointFailure,
      failure.isAuthFailure, let status = failure.status.flatMap({ Int(exactly: $0) })
    else {
      self = .zeroCache(reason: error.message)
      return
    }
    let body = failure.bodyPreview.flatMap { $0.isEmpty ? nil : $0 }
    self =
      error.kind == .pushFailed
      ? .mutate(status: status, body: body) : .query(status: status, body: body)
  }
}
