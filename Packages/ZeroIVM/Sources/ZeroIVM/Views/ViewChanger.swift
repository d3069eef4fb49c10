import ZeroProtocol

/// Applies changes of a pipeline to a result.
///
/// An entry below which a change arrives over several paths cannot be brought up to date by counting:
/// each path brings the change once. `needsRepair` then asks to make the entry at the root anew.
struct ViewChanger {
  let builder: ViewBuilder
  var needsRepair = false

  init(_ faults: Faults) { builder = ViewBuilder(faults: faults) }

  mutating func apply(_ change: Change, _ level: ViewLevel, _ data: inout ViewData) {
    if level.isHidden { return applyHidden(change, level, &data) }
    switch change {
    case .add(let row): builder.add(row, nil, level, &data)
    case .remove(let row): remove(row, level, &data)
    case .edit(let old, let new): edit(old, new, level, &data)
    case .child(let row, let below):
      guard let relation = level.relation(of: below.join) else { return }
      applyBelow(row, below.change, relation, level, &data)
    }
  }

  // MARK: -

  private mutating func applyHidden(_ change: Change, _ level: ViewLevel, _ data: inout ViewData) {
    switch change {
    case .add(let row): builder.addBelow(row, nil, level, &data)
    case .remove(let row): removeBelow(row, level, &data)
    case .edit: break
    case .child(_, let below):
      guard let relation = level.relation(of: below.join) else { return }
      apply(below.change, relation.level, &data)
    }
  }

  private mutating func removeBelow(_ row: Row, _ level: ViewLevel, _ data: inout ViewData) {
    for relation in level.relations {
      _ = relation.join.children(of: row) { child, _ in
        if relation.level.isHidden {
          removeBelow(child, relation.level, &data)
        } else {
          remove(child, relation.level, &data)
        }
        return true
      }
    }
  }

  private mutating func applyBelow(
    _ row: Row, _ change: Change, _ relation: ViewLevel.Relation, _ level: ViewLevel,
    _ data: inout ViewData
  ) {
    switch data {
    case .one(nil): miss(row)
    case .one(var entry?):
      guard level.order.isSame(entry.row, row) else { return miss(row) }
      data = .one(nil)
      update(&entry, change, relation)
      data = .one(entry)
    case .many(var list):
      data = .one(nil)
      list.update { entries in
        guard let place = place(row, level, entries) else { return }
        entries.update(at: place) { update(&$0, change, relation) }
      }
      data = .many(list)
    }
  }

  private mutating func update(
    _ entry: inout Entry, _ change: Change, _ relation: ViewLevel.Relation
  ) {
    if entry.count > 1 {
      needsRepair = true
      return
    }
    // Nothing below is shown of these, so that the entry stays the very same.
    if case .edit = change, relation.level.isHidden { return }
    if case .child(_, let below) = change, !relation.level.shows(below) { return }
    entry.update(relation.slot) { apply(change, relation.level, &$0) }
  }

  private mutating func remove(_ row: Row, _ level: ViewLevel, _ data: inout ViewData) {
    switch data {
    case .one(nil): miss(row)
    case .one(var entry?):
      guard level.order.isSame(entry.row, row) else { return miss(row) }
      if entry.count > 1 {
        entry.setCount(entry.count - 1)
        data = .one(entry)
      } else {
        data = .one(nil)
      }
    case .many(var list):
      data = .one(nil)
      list.update { entries in
        guard let place = place(row, level, entries) else { return }
        if entries[place].count > 1 {
          entries.update(at: place) { $0.setCount($0.count - 1) }
        } else {
          entries.remove(at: place)
        }
      }
      data = .many(list)
    }
  }

  private mutating func edit(
    _ old: Row, _ new: Row, _ level: ViewLevel, _ data: inout ViewData
  ) {
    switch data {
    case .one(nil): miss(old)
    case .one(var entry?):
      guard level.order.isSame(entry.row, old) else { return miss(old) }
      entry.setRow(new)
      data = .one(entry)
    case .many(var list):
      data = .one(nil)
      list.update { entries in
        guard let place = place(old, level, entries) else { return }
        if level.order.isSame(old, new) {
          entries.update(at: place) { $0.setRow(new) }
        } else {
          move(place, new, level, &entries)
        }
      }
      data = .many(list)
    }
  }

  /// Moves an entry to where its new row belongs. If it is reached over several paths, this is the
  /// edit of one of them: the others leave the old place one by one.
  private func move(
    _ place: BTreePath, _ new: Row, _ level: ViewLevel, _ entries: inout BTree<Entry>
  ) {
    var entry = entries[place]
    if entry.count > 1 {
      entries.update(at: place) { $0.setCount($0.count - 1) }
    } else {
      entries.remove(at: place)
    }
    let order = level.order
    let (target, isFound) = entries.place(of: new, order)
    if isFound {
      entries.update(at: target) {
        $0.setRow(new)
        $0.setCount($0.count + 1)
      }
    } else {
      entry.setRow(new)
      entry.setCount(1)
      entries.insert(entry, order.prefix(entry.key), at: target)
    }
  }

  private mutating func place(
    _ row: Row, _ level: ViewLevel, _ entries: BTree<Entry>
  ) -> BTreePath? {
    let order = level.order
    let (place, isFound) = entries.place(of: row, order)
    if !isFound { miss(row) }
    return isFound ? place : nil
  }

  private func miss(_ row: Row) {
    if !needsRepair { builder.faults.raise(.inconsistent(row)) }
  }
}

extension ViewLevel {
  /// Whether a change below a row of this level can be seen in results.
  fileprivate func shows(_ below: ChildChange) -> Bool { relation(of: below.join) != nil }
}
