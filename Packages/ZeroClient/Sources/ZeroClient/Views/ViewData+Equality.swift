import ZeroIVM

extension ViewData {
  /// Whether both show the same: equal rows in the same order, with equal rows nested in them.
  func isEqual(to other: ViewData) -> Bool {
    switch (self, other) {
    case (.one(nil), .one(nil)): return true
    case (.one(let a?), .one(let b?)): return Self.isEqual(a, b)
    case (.many(let a), .many(let b)):
      if a.isIdentical(to: b) { return true }
      return a.count == b.count && zip(a, b).allSatisfy { Self.isEqual($0, $1) }
    default: return false
    }
  }

  // MARK: -

  private static func isEqual(_ a: Entry, _ b: Entry) -> Bool {
    if a.isIdentical(to: b) { return true }
    guard a.row == b.row else { return false }
    var slot = 0
    while let x = a.related(slot), let y = b.related(slot) {
      guard x.isEqual(to: y) else { return false }
      slot += 1
    }
    return true
  }
}
