/// The order that an operator asks for between its operands.
struct WantedOrder {
  private let less: Bool
  private let equal: Bool
  private let greater: Bool

  /// Nil for an operator that does not order.
  init?(_ op: SimpleOperator) {
    switch op {
    case .less: (less, equal, greater) = (true, false, false)
    case .lessOrEqual: (less, equal, greater) = (true, true, false)
    case .greater: (less, equal, greater) = (false, false, true)
    case .greaterOrEqual: (less, equal, greater) = (false, true, true)
    default: return nil
    }
  }

  /// - Parameter order: negative, zero or positive.
  func accepts(_ order: Int) -> Bool { order < 0 ? less : order > 0 ? greater : equal }

  /// JavaScript's difference decides: two numbers of which one is not a number are in no order.
  func accepts(_ a: Double, _ b: Double) -> Bool {
    if a < b { return less }
    return a > b ? greater : a == b ? equal : false
  }
}
