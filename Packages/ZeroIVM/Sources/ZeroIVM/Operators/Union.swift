@_spi(Engine) import ZeroProtocol

/// Gives the rows and changes of one input to the branches of an `or`.
final class UnionFanOut: Operator {
  private let input: Operator
  private var branches: [BranchInput] = []
  fileprivate unowned(unsafe) var fanIn: UnionFanIn?

  init(_ input: Operator) {
    self.input = input
    super.init(order: input.order)
    input.feed(self)
  }

  /// The input of one more branch.
  func branch() -> Operator {
    let branch = BranchInput(self)
    branches.append(branch)
    return branch
  }

  override func read(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    input.read(request, body)
  }

  override func push(_ change: Change, port: Int) {
    fanIn?.begin()
    for branch in branches { branch.emit(change) }
    fanIn?.end(change)
  }

  override func brokenInvariant() -> String? { input.brokenInvariant() }

  fileprivate func destroyInput() { input.destroy() }

  /// One branch's end of the fan-out.
  private final class BranchInput: Operator {
    private unowned let fanOut: UnionFanOut

    init(_ fanOut: UnionFanOut) {
      self.fanOut = fanOut
      super.init(order: fanOut.order)
    }

    override func read(_ request: Request, _ body: (Row) -> Bool) -> Bool {
      fanOut.read(request, body)
    }
  }
}

/// The union of the branches of an `or`, each row once, in order.
final class UnionFanIn: Operator {
  private let fanOut: UnionFanOut
  private let branches: [Operator]
  private let primaryKey: KeyColumns
  /// What the branches made of the change that the fan-out is giving them; nil while it gives none.
  private var merge: ChangeMerge?

  init(_ fanOut: UnionFanOut, _ branches: [Operator], primaryKey: KeyColumns) {
    self.fanOut = fanOut
    self.branches = branches
    self.primaryKey = primaryKey
    super.init(order: fanOut.order)
    fanOut.fanIn = self
    for (place, branch) in branches.enumerated() { branch.feed(self, port: place) }
  }

  override func destroy() {
    // The branches end at the fan-out, whose input is shared.
    for branch in branches { branch.destroy() }
    fanOut.destroyInput()
  }

  override func brokenInvariant() -> String? {
    if merge != nil { return "a union is idle and collects changes" }
    for branch in branches { if let broken = branch.brokenInvariant() { return broken } }
    return fanOut.brokenInvariant()
  }

  fileprivate func begin() { merge = ChangeMerge() }

  fileprivate func end(_ change: Change) {
    let merged = merge?.result(of: change)
    merge = nil
    if let merged { emit(merged) }
  }

  override func push(_ change: Change, port: Int) {
    if merge != nil {
      merge?.collect(change)
      return
    }
    // It comes from inside one branch. If another branch has the row too, it neither enters nor
    // leaves; that one sees the rows before or after the change, as its turn is to come or over.
    switch change {
    case .child, .edit: emit(change)
    case .add(let row), .remove(let row):
      let point = Request(
        constraint: Constraint(key: primaryKey, values: row, valueKey: primaryKey))
      for (place, branch) in branches.enumerated() where place != port {
        if !branch.read(point, { _ in false }) { return }
      }
      emit(change)
    }
  }

  override func read(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    if branches.count == 1 { return branches[0].read(request, body) }
    var cursors = branches.map { BranchCursor($0, request) }
    let sign = request.isReversed ? -1 : 1
    var last: Row?
    while true {
      var next: Row?
      var place = 0
      for i in cursors.indices {
        guard let row = cursors[i].row else { continue }
        if next.map({ order.compare(row, $0) * sign < 0 }) ?? true {
          next = row
          place = i
        }
      }
      guard let row = next else { return true }
      cursors[place].advance()
      if let last, order.isSame(last, row) { continue }
      last = row
      if !body(row) { return false }
    }
  }
}

/// Reads a branch in chunks that grow, so that a reader who stops early costs little.
private struct BranchCursor {
  private let branch: Operator
  private var request: Request
  private var rows: ContiguousArray<Row> = []
  private var place = 0
  private var size = 2
  private var isExhausted = false

  init(_ branch: Operator, _ request: Request) {
    self.branch = branch
    self.request = request
    refill()
  }

  var row: Row? { place < rows.count ? rows[place] : nil }

  mutating func advance() {
    place += 1
    if place == rows.count { refill() }
  }

  private mutating func refill() {
    guard !isExhausted else { return }
    if let last = rows.last { request.start = Bound(row: last, isInclusive: false) }
    rows.removeAll(keepingCapacity: true)
    place = 0
    isExhausted = branch.read(request) { row in
      rows.append(row)
      return rows.count < size
    }
    size = min(size * 4, 4096)
  }
}
