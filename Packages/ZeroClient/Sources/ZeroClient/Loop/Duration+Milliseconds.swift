extension Duration {
  /// This duration in milliseconds.
  var inMilliseconds: Double {
    Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
  }

  /// A duration from milliseconds, cut to what a duration of microseconds holds.
  static func clamping(milliseconds: Double) -> Duration {
    guard milliseconds > 0 else { return .zero }
    return .microseconds(Int64(min(milliseconds * 1000, 9e18)))
  }
}
