/// A mutator is called that the client was not made with.
public struct UnregisteredMutatorError: Error, Sendable, CustomStringConvertible {
  /// The mutator's name.
  public let name: String
  /// What is wrong, and what to do.
  public var description: String {
    "Mutator \"\(name)\" is not registered. Mutators must be registered with the Zero constructor "
      + "before use."
  }
}
