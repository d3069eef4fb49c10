import BenchKit

extension BenchRun {
  /// Records a figure beside the recorded one of the reference.
  func beside(
    _ name: String, size: Int, _ value: Double, _ unit: String = "ms",
    _ direction: Direction = .less, note: String = ""
  ) {
    figure(
      name, size: size, value, unit, recorded: Reference.figure(name, size: size), direction,
      note: note)
  }

  /// Records the median of some milliseconds beside the recorded figure.
  func median(_ name: String, size: Int, _ samples: [Double], note: String = "") {
    beside(name, size: size, Spread(samples).median, note: note)
  }

  /// Records percentiles of some milliseconds beside the recorded ones.
  /// - Parameter note: of the first.
  func percentiles(
    _ name: String, size: Int, _ samples: [Double], _ parts: [Int] = [50, 90], note: String = ""
  ) {
    for (place, part) in parts.enumerated() {
      beside(
        "\(name).p\(part)", size: size, Spread.percentile(samples, Double(part) / 100),
        note: place == 0 ? note : "")
    }
  }
}
