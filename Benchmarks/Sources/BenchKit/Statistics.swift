import Foundation

/// The middle of a list and how far its quarters are apart.
public struct Spread: Sendable {
  public let median: Double
  public let lower: Double
  public let upper: Double

  public init(_ values: [Double]) {
    let sorted = values.sorted()
    func quantile(_ part: Double) -> Double {
      guard let last = sorted.indices.last else { return .nan }
      let place = part * Double(last)
      let below = Int(place)
      let above = min(below + 1, last)
      return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }
    median = quantile(0.5)
    lower = quantile(0.25)
    upper = quantile(0.75)
  }

  /// The value under which a part of the list lies, as 0.99.
  public static func percentile(_ values: [Double], _ part: Double) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.indices.last else { return .nan }
    return sorted[min(last, Int((part * Double(sorted.count)).rounded(.up)) - 1)]
  }
}

/// The exponent `k` of the power of n that grows most like the measured times: 0 is constant, 1 is
/// linear.
public func fittedOrder(_ points: [(size: Int, seconds: Double)]) -> Double {
  let logs = points.filter { $0.size > 0 && $0.seconds > 0 }
    .map { (x: log(Double($0.size)), y: log($0.seconds)) }
  guard logs.count > 1 else { return .nan }
  let count = Double(logs.count)
  let meanX = logs.reduce(0) { $0 + $1.x } / count
  let meanY = logs.reduce(0) { $0 + $1.y } / count
  let covariance = logs.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
  let variance = logs.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
  return covariance / variance
}
