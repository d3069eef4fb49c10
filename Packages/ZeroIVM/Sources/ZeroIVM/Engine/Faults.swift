/// Where the parts of one branch report that data broke a rule.
///
/// Operators and comparisons do not throw: they report here and go on in a way that leaves every
/// structure consistent, and whoever entered the engine throws what was reported first.
final class Faults {
  private(set) var first: EngineError?

  @inline(__always) var isRaised: Bool { first != nil }

  @inline(never)
  func raise(_ error: EngineError) {
    if first == nil { first = error }
  }

  /// Throws what was reported since the last call.
  @inline(__always)
  func check() throws(EngineError) {
    if first != nil { try fail() }
  }

  @inline(never)
  private func fail() throws(EngineError) {
    guard let error = first else { return }
    first = nil
    throw error
  }
}
