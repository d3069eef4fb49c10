import ZeroIVM
import ZeroProtocol

/// A branch and the changes that are pushed into it, prepared beforehand.
final class PushLoad {
  enum Kind: String, CaseIterable {
    case editTitle, editPriority, remove, add, removeChild, addChild

    var isChild: Bool { self == .removeChild || self == .addChild }
  }

  let branch: Branch
  private var data: Dataset
  private let maker: RowMaker
  private var random = SplitMix(seed: 11)
  private var views: [QueryView] = []
  /// What has to be undone before the next changes are made.
  private var undo: [SourceChange] = []

  init(_ size: Int) throws {
    data = Dataset(issues: size, withComments: size <= 100_000)
    maker = RowMaker(issues: size)
    branch = try data.branch()
  }

  /// Opens a view with one listener.
  func open(_ query: BenchQuery) throws -> QueryView {
    let view = try branch.materialize(query.ast, query.format)
    try view.addListener { _, _, _ in }
    views.append(view)
    return view
  }

  func close() {
    for view in views { view.destroy() }
    views = []
  }

  /// `count` changes of random rows, for the state after undoing the last ones.
  func prepare(_ kind: Kind, _ count: Int) -> [SourceChange] {
    for change in undo { try? branch.push(change) }
    branch.commit()
    undo = []
    switch kind {
    case .editTitle:
      return edits(count) { $0.changing($1, 3, .string("Title number \($2) after an edit")) }
    case .editPriority:
      return edits(count) { $0.changing($1, 6, .number(Double($2 % 5))) }
    case .remove, .removeChild:
      let rows = sample(kind.isChild ? data.comments : data.issues, count)
      undo = rows.map { .add($0) }
      return rows.map { .remove($0) }
    case .add, .addChild:
      let rows = sample(kind.isChild ? data.comments : data.issues, count)
      for row in rows { try? branch.push(.remove(row)) }
      branch.commit()
      return rows.map { .add($0) }
    }
  }

  // MARK: -

  private func sample(_ rows: ContiguousArray<Row>, _ count: Int) -> [Row] {
    let stride = max(1, rows.count / count)
    let first = random.below(stride)
    var picked = Swift.stride(from: first, to: rows.count, by: stride).prefix(count).map {
      rows[$0]
    }
    for place in picked.indices.reversed() { picked.swapAt(place, random.below(place + 1)) }
    return Array(picked)
  }

  private func edits(
    _ count: Int, _ change: (RowMaker, Row, Int) -> Row
  ) -> [SourceChange] {
    (0..<count).map { _ in
      let place = random.below(data.issues.count)
      let old = data.issues[place]
      let new = change(maker, old, random.below(1_000_000))
      data.issues[place] = new
      return .edit(old: old, new: new)
    }
  }
}
