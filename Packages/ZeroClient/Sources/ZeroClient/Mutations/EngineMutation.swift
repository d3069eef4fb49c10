/// The outcomes of one call of a mutator.
@_spi(Engine) @MainActor public final class EngineMutation {
  /// What became of it here.
  public let client: Deferred<MutationOutcome>
  /// What became of it on the server.
  public let server: Deferred<MutationOutcome>
  /// Succeeds when it is stored, fails when it cannot be.
  public let persisted: Deferred<Void>

  init(_ loop: EventLoop) {
    client = Deferred(loop)
    server = Deferred(loop)
    persisted = Deferred(loop)
  }

  /// Settles everything with one outcome.
  func settle(_ outcome: MutationOutcome) {
    client.succeed(outcome)
    server.succeed(outcome)
    if let error = outcome.error { persisted.fail(error) }
  }
}
