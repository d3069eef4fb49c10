import ZeroProtocol

/// Puts what the branches of an `or` make of one change together into at most one change.
///
/// A row that one branch keeps must not be removed and added again because another branch gained or
/// lost it: keeping it, as an edit or a child change, beats entering and leaving, and entering one
/// branch while leaving another is an edit.
struct ChangeMerge {
  private var added: Row?
  private var removed: Row?
  /// An edit or child change that some branch passed on.
  private var kept: Change?

  /// The first change of each kind counts.
  mutating func collect(_ change: Change) {
    switch change {
    case .add(let row): if added == nil { added = row }
    case .remove(let row): if removed == nil { removed = row }
    case .edit, .child: if kept == nil { kept = change }
    }
  }

  /// The change to pass on for `incoming`, which the branches were given.
  func result(of incoming: Change) -> Change? {
    if let kept { return kept }
    switch (added, removed) {
    case (let added?, let removed?): return .edit(old: removed, new: added)
    case (let added?, nil): return .add(added)
    case (nil, let removed?): return .remove(removed)
    case (nil, nil): return nil
    }
  }
}
