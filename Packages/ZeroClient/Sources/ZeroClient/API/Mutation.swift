import ZeroProtocol

/// The outcomes of one call of a mutator. Ignore what you do not need.
@MainActor public struct Mutation {
  /// What became of it here: known when the mutator has run. After an error nothing of it was kept.
  public let client: Deferred<MutationOutcome>
  /// What became of it on the server: known when the server reports a result, or has gone on to later
  /// mutations. When the connection counts as lost it settles with that error, although the mutation
  /// stays queued and is sent later.
  public let server: Deferred<MutationOutcome>
  /// Succeeds when it is in the store, with the durability that the store declares; fails when it did
  /// not run or cannot be stored.
  public let persisted: Deferred<Void>

  init(_ mutation: EngineMutation) {
    client = mutation.client
    server = mutation.server
    persisted = mutation.persisted
  }

  /// A call that came to nothing.
  init(settled outcome: MutationOutcome, _ loop: EventLoop) {
    let call = EngineMutation(loop)
    call.settle(outcome)
    self.init(call)
  }
}
