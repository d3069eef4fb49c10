import ZeroProtocol

/// How far a client group has come: the database commit its rows are of, and the number of changes
/// of its query set since then. Its text is the cookie that clients store and send back.
struct GroupVersion: Hashable, Comparable, Sendable {
  var commit: UInt64
  var step: UInt64

  /// The version of a group that has never sent anything.
  static let initial = GroupVersion(commit: 0, step: 0)

  init(commit: UInt64, step: UInt64 = 0) {
    self.commit = commit
    self.step = step
  }

  /// - Returns: nil for text that no server could have sent.
  init?(cookie: String) {
    let parts = cookie.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let commit = Cookie.number(ofLexi: first) else { return nil }
    self.commit = commit
    step = 0
    if parts.count == 2 {
      guard let step = Cookie.number(ofLexi: parts[1]) else { return nil }
      self.step = step
    }
  }

  var cookie: String {
    step == 0 ? Cookie.lexi(commit) : "\(Cookie.lexi(commit)):\(Cookie.lexi(step))"
  }

  /// The version after a change of the query set.
  var nextStep: GroupVersion { GroupVersion(commit: commit, step: step + 1) }

  /// The version after a change that brings the rows to `commit`.
  func advanced(to commit: UInt64) -> GroupVersion {
    commit > self.commit ? GroupVersion(commit: commit) : nextStep
  }

  static func < (a: Self, b: Self) -> Bool { (a.commit, a.step) < (b.commit, b.step) }
}
