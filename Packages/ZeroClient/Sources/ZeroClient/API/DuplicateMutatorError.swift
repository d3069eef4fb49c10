/// Two mutators have one name, or one has none.
public struct DuplicateMutatorError: Error, Sendable, CustomStringConvertible {
  /// The name; empty if one has none.
  public let name: String
  /// What is wrong, and what to do.
  public var description: String {
    name.isEmpty
      ? "a mutator has no name; give it the one that the server knows"
      : "two mutators are named \"\(name)\"; give each its own name"
  }
}
