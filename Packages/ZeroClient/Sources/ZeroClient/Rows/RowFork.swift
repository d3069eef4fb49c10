import ZeroIVM
import ZeroProtocol

/// Sources of rows apart from those of the views: what mutators' queries run on.
final class RowFork {
  private let branch: Branch

  init(_ branch: Branch) throws(EngineError) { self.branch = try branch.fork() }

  /// Changes one row; nil stands for no row.
  func push(from old: Row?, to new: Row?) throws(EngineError) {
    if let change = SourceChange(from: old, to: new) { try branch.push(change) }
  }

  /// Runs a query once.
  func run(_ query: AST, _ format: Format) throws(EngineError) -> ViewData {
    try branch.run(query, format)
  }
}

extension SourceChange {
  /// What leads from one row to another; nil if they are equal.
  init?(from old: Row?, to new: Row?) {
    switch (old, new) {
    case (nil, nil): return nil
    case (nil, let new?): self = .add(new)
    case (let old?, nil): self = .remove(old)
    case (let old?, let new?):
      if old == new { return nil }
      self = .edit(old: old, new: new)
    }
  }
}
