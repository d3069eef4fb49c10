import ZeroProtocol

/// What became of one list of entries.
public struct EntryChanges: Sendable {
  /// What became of one entry.
  public enum Change: Sendable {
    /// It is gone.
    case removed(old: Int)
    /// It is new.
    case inserted(new: Int)
    /// Another content at the same key: other columns or something among the related rows, in the
    /// same place among what stayed or in another.
    case changed(old: Int, new: Int)
  }

  /// By place in the lists: removals by the old one, others by the new one.
  public let changes: [Change]
}

extension EntryList {
  /// What changed from an earlier state of the list.
  ///
  /// Nodes that both states share are not looked at, so this costs about what the changes did.
  /// - Complexity: O(d log n) for d changes since `old`, if this list came from it
  public func changes(from old: EntryList) -> EntryChanges {
    var changes: [EntryChanges.Change] = []
    tree.entries.forEachDifference(from: old.tree.entries) { old, new in
      Self.compare(old, new, &changes)
    }
    return EntryChanges(changes: Self.joiningMoves(changes, old, self))
  }

  // MARK: -

  private static func compare(
    _ old: BTree<Entry>.Run, _ new: BTree<Entry>.Run, _ changes: inout [EntryChanges.Change]
  ) {
    var (first, oldEnd, newEnd) = (0, old.elements.count, new.elements.count)
    while first < Swift.min(oldEnd, newEnd),
      old.elements[first].isIdentical(to: new.elements[first])
    {
      first += 1
    }
    while Swift.min(oldEnd, newEnd) > first,
      old.elements[oldEnd - 1].isIdentical(to: new.elements[newEnd - 1])
    {
      oldEnd -= 1
      newEnd -= 1
    }
    var places: [PartitionKey: Int] = [:]
    for place in first..<oldEnd { places[old.elements[place].primaryKey] = place }
    for place in first..<newEnd {
      let entry = new.elements[place]
      if let before = places.removeValue(forKey: entry.primaryKey) {
        if !entry.isIdentical(to: old.elements[before]) {
          changes.append(.changed(old: old.start + before, new: new.start + place))
        }
      } else {
        changes.append(.inserted(new: new.start + place))
      }
    }
    for place in places.values { changes.append(.removed(old: old.start + place)) }
  }

  /// Takes a removal and an insertion of one key, far from each other, for a change.
  private static func joiningMoves(
    _ changes: [EntryChanges.Change], _ old: EntryList, _ new: EntryList
  ) -> [EntryChanges.Change] {
    var removed: [PartitionKey: Int] = [:]
    for case .removed(let place) in changes { removed[old[place].primaryKey] = place }
    var joined: [EntryChanges.Change] = []
    for change in changes {
      switch change {
      case .removed: break
      case .inserted(let place):
        if let before = removed.removeValue(forKey: new[place].primaryKey) {
          joined.append(.changed(old: before, new: place))
        } else {
          joined.append(change)
        }
      case .changed: joined.append(change)
      }
    }
    return removed.values.sorted().map { .removed(old: $0) } + joined
  }
}

extension Entry {
  fileprivate var primaryKey: PartitionKey {
    PartitionKey(row: row, key: KeyColumns(row.layout.primaryKey, row.layout))
  }
}
