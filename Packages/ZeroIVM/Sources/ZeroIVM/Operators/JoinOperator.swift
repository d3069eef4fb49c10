@_spi(Engine) import ZeroProtocol

/// Relates rows of a child pipeline to rows of a parent pipeline by equal keys.
///
/// Both kinds of join tell matching parents of a child's change one after the other. Until a parent
/// has been told, whoever reads its related rows finds them as they were before the change.
class JoinOperator: Operator {
  let parent: Operator
  let child: Operator
  let parentKey: KeyColumns
  let childKey: KeyColumns
  /// Name of the relationship, as results and messages know it.
  let name: String
  /// The child change being passed on.
  final var current: Change?
  /// The parent row it is being passed on for.
  final var position: Row?

  static let parentPort = 0
  static let childPort = 1

  init(
    _ parent: Operator, _ child: Operator, parentKey: KeyColumns, childKey: KeyColumns, name: String
  ) {
    self.parent = parent
    self.child = child
    self.parentKey = parentKey
    self.childKey = childKey
    self.name = name
    super.init(order: parent.order)
    parent.feed(self, port: Self.parentPort)
    child.feed(self, port: Self.childPort)
  }

  override func brokenInvariant() -> String? {
    if current != nil || position != nil { return "join \(name) is idle and has a current change" }
    return parent.brokenInvariant() ?? child.brokenInvariant()
  }

  // MARK: -

  /// What the rows of the child pipeline that belong to a parent row have to fulfil; nil if null in
  /// the key makes that none.
  @inline(__always)
  final func childConstraint(_ parent: Row) -> Constraint? {
    parentKey.hasNull(parent)
      ? nil : Constraint(key: childKey, values: parent, valueKey: parentKey)
  }

  @inline(__always)
  final func parentConstraint(_ child: Row) -> Constraint? {
    childKey.hasNull(child) ? nil : Constraint(key: parentKey, values: child, valueKey: childKey)
  }

  /// Whether the change being passed on is about a row related to `parent`.
  @inline(__always)
  final func isCurrent(_ parent: Row) -> Bool {
    guard let current else { return false }
    return parentKey.joins(parent, current.row, childKey)
  }
}

/// A hierarchical left join: every parent row, each with its related child rows.
final class Join: JoinOperator {
  override var isSurelyEmpty: Bool { parent.isSurelyEmpty }

  override func read(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    parent.read(request, body)
  }

  override func destroy() {
    parent.destroy()
    child.destroy()
  }

  override func push(_ change: Change, port: Int) {
    guard port == Self.childPort else { return emit(change) }
    guard let constraint = parentConstraint(change.row) else { return }
    current = change
    let childChange = ChildChange(self, change)
    _ = parent.read(Request(constraint: constraint)) { row in
      position = row
      emit(.child(row, childChange))
      return true
    }
    current = nil
    position = nil
  }

  /// Reads the rows related to `parent`.
  ///
  /// - Parameters:
  ///   - undone: a change of this relationship that the reader of `parent` does not know yet.
  ///   - body: gets each row and, if something below it is not known to the reader yet, what.
  func children(
    of parent: Row, undoing undone: ChildChange? = nil, _ body: (Row, ChildChange?) -> Bool
  ) -> Bool {
    guard let constraint = childConstraint(parent) else { return true }
    let request = Request(constraint: constraint)
    let change: Change
    if let undone {
      change = undone.change
    } else if let current, let position, isCurrent(parent),
      order.compare(parent, position) > 0
    {
      change = current
    } else {
      return child.read(request) { body($0, nil) }
    }
    return undo(change, reading: request, body)
  }

  /// Whether no row has related ones, as far as that is known without reading.
  var relatesNothing: Bool { current == nil && child.isSurelyEmpty }

  /// Whether `parent` has related rows and how many, up to `limit`.
  func childCount(of parent: Row, upTo limit: Int = .max) -> Int {
    var count = 0
    _ = children(of: parent) { _, _ in
      count += 1
      return count < limit
    }
    return count
  }

  // MARK: -

  /// Reads child rows as they were before `change`.
  private func undo(
    _ change: Change, reading request: Request, _ body: (Row, ChildChange?) -> Bool
  ) -> Bool {
    let order = child.order
    switch change {
    case .add(let added):
      return child.read(request) { row in order.isSame(row, added) ? true : body(row, nil) }
    case .remove(let removed): return restore(removed, replacing: nil, request, body)
    case .edit(let old, let new): return restore(old, replacing: new, request, body)
    case .child(let changed, let below):
      return child.read(request) { row in
        body(row, order.isSame(row, changed) ? below : nil)
      }
    }
  }

  /// Reads child rows with `old` put in where it belongs, and without `new`.
  private func restore(
    _ old: Row, replacing new: Row?, _ request: Request, _ body: (Row, ChildChange?) -> Bool
  ) -> Bool {
    let order = child.order
    var isRestored = child is Cap
    if isRestored, !body(old, nil) { return false }
    let isFinished = child.read(request) { row in
      if !isRestored, order.compare(old, row) < 0 {
        isRestored = true
        guard body(old, nil) else { return false }
      }
      if let new, order.isSame(row, new) { return true }
      return body(row, nil)
    }
    guard isFinished else { return false }
    return isRestored ? true : body(old, nil)
  }
}
