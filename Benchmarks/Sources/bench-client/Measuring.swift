import BenchKit
import Foundation

/// The milliseconds that `body` takes.
@MainActor func measure(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return (ContinuousClock.now - start).seconds * 1000
}

/// A number for a note, with three digits that count.
func noted(_ value: Double) -> String {
  let size = value.magnitude
  let digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 || size == 0 ? 2 : 3
  return String(format: "%.\(digits)f", value)
}

/// The order of growth that a curve fits, for a note.
func order(of points: [(size: Int, seconds: Double)]) -> String {
  "as n^\(noted(fittedOrder(points)))"
}
