@_spi(Engine) import ZeroProtocol

/// Turns rows of a pipeline into entries, reading the related rows of each from the joins.
struct ViewBuilder {
  let faults: Faults

  /// The result of a query from its pipeline.
  func hydrate(_ level: ViewLevel, _ end: Operator) -> ViewData {
    var entries: ContiguousArray<Entry> = []
    _ = end.read(Request()) { row in
      entries.append(entry(row, nil, level))
      return !faults.isRaised
    }
    return data(entries, level)
  }

  /// A new entry.
  /// - Parameter undone: a change below the row that the reader does not know of yet.
  func entry(_ row: Row, _ undone: ChildChange?, _ level: ViewLevel) -> Entry {
    if level.relations.isEmpty { return Entry(row) }
    var related = level.blank
    for relation in level.relations {
      let below = undone?.join === relation.join ? undone : nil
      if relation.level.isHidden {
        _ = relation.join.children(of: row, undoing: below) { child, undone in
          addBelow(child, undone, relation.level, &related[relation.slot])
          return true
        }
      } else {
        var entries: ContiguousArray<Entry> = []
        _ = relation.join.children(of: row, undoing: below) { child, undone in
          entries.append(entry(child, undone, relation.level))
          return true
        }
        if !entries.isEmpty { related[relation.slot] = data(entries, relation.level) }
      }
    }
    return Entry(row, related, level.shape)
  }

  /// Adds what is below a row of a hidden level.
  func addBelow(
    _ row: Row, _ undone: ChildChange?, _ level: ViewLevel, _ data: inout ViewData
  ) {
    for relation in level.relations {
      let below = undone?.join === relation.join ? undone : nil
      _ = relation.join.children(of: row, undoing: below) { child, undone in
        if relation.level.isHidden {
          addBelow(child, undone, relation.level, &data)
        } else {
          add(child, undone, relation.level, &data)
        }
        return true
      }
    }
  }

  /// Adds a row; one that is there already is reached over one more path.
  func add(_ row: Row, _ undone: ChildChange?, _ level: ViewLevel, _ data: inout ViewData) {
    let order = level.order
    switch data {
    case .one(nil): data = .one(entry(row, undone, level))
    case .one(var current?):
      guard order.isSame(current.row, row) else { return faults.raise(.singularMany(row)) }
      current.setCount(current.count + 1)
      data = .one(current)
    case .many(var list):
      data = .one(nil)
      list.update { entries in
        let (place, isFound) = entries.place(of: row, order)
        if isFound {
          entries.update(at: place) { $0.setCount($0.count + 1) }
        } else {
          entries.insert(
            entry(row, undone, level), order.prefix(row.packedBase), at: place)
        }
      }
      data = .many(list)
    }
  }

  // MARK: -

  private func data(_ entries: ContiguousArray<Entry>, _ level: ViewLevel) -> ViewData {
    guard level.isSingular else { return .many(EntryList(entries, level.order)) }
    if entries.count > 1 { faults.raise(.singularMany(entries[1].row)) }
    return .one(entries.first)
  }
}
