@_spi(Engine) import ZeroProtocol

/// An inner join that starts from the child: the parent rows that have a related child row.
///
/// Its relationship serves the condition only; nobody reads its rows.
final class FlippedJoin: JoinOperator {
  override func destroy() {
    child.destroy()
    parent.destroy()
  }

  override func read(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    // With a key given there are few parents; otherwise the children say which parents to read.
    guard request.constraint == nil, request.extras.isEmpty else {
      return parent.read(request) { isRelated($0) ? body($0) : true }
    }
    return readFromChildren(request, body)
  }

  private func readFromChildren(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    var keys: [PartitionKey] = []
    var seen: Set<PartitionKey> = []
    func note(_ row: Row) {
      guard !childKey.hasNull(row) else { return }
      let key = PartitionKey(row: row, key: childKey)
      if seen.insert(key).inserted { keys.append(key) }
    }
    _ = child.read(Request()) { row in
      note(row)
      return true
    }
    // Parents that have not been told of a removal still have the removed child.
    if case .remove(let removed) = current { note(removed) }
    var parents: ContiguousArray<Row> = []
    for key in keys {
      var narrowed = request
      narrowed.extras = [Constraint(key: parentKey, values: key.row, valueKey: childKey)]
      _ = parent.read(narrowed) { row in
        if !isCurrent(row) || isRelated(row) { parents.append(row) }
        return true
      }
    }
    let sign = request.isReversed ? -1 : 1
    if keys.count > 1 { parents.sort { order.compare($0, $1) * sign < 0 } }
    for row in parents where !body(row) { return false }
    return true
  }

  /// Whether a parent row has a related child, as far as it has been told.
  private func isRelated(_ parent: Row) -> Bool {
    guard let constraint = childConstraint(parent) else { return false }
    var surplus = 0
    if let current, isCurrent(parent) {
      let isTold = position.map { order.compare(parent, $0) <= 0 } ?? false
      switch current {
      case .remove: if !isTold { return true }
      case .add: if position != nil, !isTold { surplus = 1 }
      case .edit, .child: break
      }
    }
    return !child.read(Request(constraint: constraint)) { _ in
      surplus -= 1
      return surplus >= 0
    }
  }

  override func push(_ change: Change, port: Int) {
    guard port == Self.childPort else {
      guard let constraint = childConstraint(change.row) else { return }
      if !child.read(Request(constraint: constraint), { _ in false }) { emit(change) }
      return
    }
    guard let constraint = parentConstraint(change.row) else { return }
    var isKept: Bool
    switch change {
    case .edit, .child: isKept = true
    case .add, .remove: isKept = false
    }
    current = change
    let childChange = ChildChange(self, change)
    let childOrder = child.order
    _ = parent.read(Request(constraint: constraint)) { row in
      position = row
      if !isKept, let constraint = childConstraint(row) {
        isKept = !child.read(Request(constraint: constraint)) {
          childOrder.isSame($0, change.row)
        }
      }
      if isKept {
        emit(.child(row, childChange))
      } else if case .add = change {
        emit(.add(row))
      } else {
        emit(.remove(row))
      }
      return true
    }
    current = nil
    position = nil
  }
}
