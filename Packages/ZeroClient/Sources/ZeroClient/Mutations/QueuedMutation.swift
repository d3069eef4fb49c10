import ZeroProtocol

/// A mutation that was called and has not run.
struct QueuedMutation {
  let definition: MutatorDefinition
  let args: JSONValue?
  /// Of the call.
  let wallTime: Double
  let monotonicTime: Double
  let ephemeralID: MutationTracker.EphemeralID
  let call: EngineMutation
}
