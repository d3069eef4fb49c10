import Foundation

/// The seed of tests that choose at random.
///
/// It is the same in every run, so that a change is never refused by chance, unless the environment
/// variable `ZERO_SEED` is a number or `random`: then the scripts look further.
public enum TestSeed {
  /// 1, what `ZERO_SEED` says, or a number that no other process has.
  public static let value: UInt64 = {
    switch ProcessInfo.processInfo.environment["ZERO_SEED"] {
    case nil: return 1
    case let text?:
      let seed = UInt64(text) ?? .random(in: 1...1_000_000_000)
      print("seed \(seed)")
      return seed
    }
  }()
}

/// Numbers that look random and are the same for the same seed on every machine (SplitMix64).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to below `bound`; 0 if that is not positive.
  public mutating func next(below bound: Int) -> Int {
    bound <= 1 ? 0 : Int(next() % UInt64(bound))
  }
}
