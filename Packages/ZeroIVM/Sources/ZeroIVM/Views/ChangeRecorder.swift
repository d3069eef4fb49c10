public import ZeroProtocol

/// A row as it flows in a pipeline, with the rows related to it, junction rows included.
@_spi(Engine) public struct RecordedNode: Sendable {
  public let row: Row
  public let related: [(name: String, nodes: [RecordedNode])]
}

/// A change as a pipeline sends it, before a view flattens junctions.
@_spi(Engine) public indirect enum RecordedChange: Sendable {
  case add(RecordedNode)
  case remove(RecordedNode)
  case edit(old: Row, new: Row)
  case child(Row, relationship: String, RecordedChange)
}

/// The changes of a query, recorded as they come, for tests and drift checks.
@_spi(Engine) public final class ChangeRecorder {
  /// What came since the last time this was emptied.
  public var changes: [RecordedChange] = []

  private let branch: Branch
  private let pipeline: PipelineLevel
  private let sink: Sink
  private var isDestroyed = false

  /// Opens the query and reads all of it, which decides what its limits hold.
  public init(_ branch: Branch, _ query: AST) throws(EngineError) {
    self.branch = branch
    pipeline = try branch.build(query)
    sink = Sink(pipeline.end.order)
    pipeline.end.feed(sink)
    sink.recorder = self
  }

  deinit { destroy() }

  public func destroy() {
    guard !isDestroyed else { return }
    isDestroyed = true
    pipeline.end.destroy()
  }

  /// The rows of the query now.
  public func nodes() throws(EngineError) -> [RecordedNode] {
    var nodes: [RecordedNode] = []
    _ = pipeline.end.read(Request()) { row in
      nodes.append(node(row, nil, pipeline))
      return true
    }
    try branch.faults.check()
    return nodes
  }

  // MARK: -

  private func node(_ row: Row, _ undone: ChildChange?, _ level: PipelineLevel) -> RecordedNode {
    let related = level.relations.map { relation in
      var nodes: [RecordedNode] = []
      let below = undone?.join === relation.join ? undone : nil
      _ = relation.join.children(of: row, undoing: below) { child, undone in
        nodes.append(node(child, undone, relation.level))
        return true
      }
      return (name: relation.name, nodes: nodes)
    }
    return RecordedNode(row: row, related: related)
  }

  private func record(_ change: Change, _ level: PipelineLevel?) -> RecordedChange {
    func expanded(_ row: Row) -> RecordedNode {
      level.map { node(row, nil, $0) } ?? RecordedNode(row: row, related: [])
    }
    switch change {
    case .add(let row): return .add(expanded(row))
    case .remove(let row): return .remove(expanded(row))
    case .edit(let old, let new): return .edit(old: old, new: new)
    case .child(let row, let below):
      let relation = level?.relations.first { $0.join === below.join }
      return .child(
        row, relationship: below.join.name, record(below.change, relation?.level))
    }
  }

  private final class Sink: Operator {
    unowned(unsafe) var recorder: ChangeRecorder?

    init(_ order: RowOrder) { super.init(order: order) }

    override func push(_ change: Change, port: Int) {
      guard let recorder else { return }
      recorder.changes.append(recorder.record(change, recorder.pipeline))
    }
  }
}
