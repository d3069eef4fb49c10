@_spi(Engine) import ZeroIVM
public import ZeroProtocol

/// Runs queries on the incremental engine: one copy of the tables for all client groups.
public final class IVMEngine: QueryEngine {
  private let branch: Branch
  private var pipelines: [WeakPipeline] = []

  private struct WeakPipeline { weak var pipeline: IVMPipeline? }

  /// - Parameter schema: the tables with server names; rows have the layouts of this very value.
  public init(schema: ZeroSchema) {
    branch = Branch(schema: schema, allowsNotExists: true)
  }

  public func makePipeline(_ query: AST) throws -> any QueryPipeline {
    let pipeline = IVMPipeline(try ChangeRecorder(branch, query.relatingExistsRows()))
    pipelines.removeAll { $0.pipeline == nil }
    pipelines.append(WeakPipeline(pipeline: pipeline))
    return pipeline
  }

  public func apply(_ changes: [RowChange]) throws {
    for change in changes {
      switch change.kind {
      case .insert(let row): try branch.push(.add(row))
      case .update(let old, let new): try branch.push(.edit(old: old, new: new))
      case .delete(let row): try branch.push(.remove(row))
      }
      // What a change relates to is known only until the next one.
      for entry in pipelines { entry.pipeline?.collect() }
    }
  }
}

/// A query on the incremental engine.
final class IVMPipeline: QueryPipeline {
  private let recorder: ChangeRecorder
  private var changes: [ReferenceChange] = []

  init(_ recorder: ChangeRecorder) { self.recorder = recorder }

  func forEachRow(_ body: (String, Row) -> Void) throws {
    for node in try recorder.nodes() { Self.visit(node, body) }
  }

  func takeChanges() -> [ReferenceChange] {
    collect()
    defer { changes = [] }
    return changes
  }

  func destroy() { recorder.destroy() }

  /// Takes over what the recorder has.
  func collect() {
    guard !recorder.changes.isEmpty else { return }
    for change in recorder.changes { add(change) }
    recorder.changes = []
  }

  // MARK: -

  private func add(_ change: RecordedChange) {
    switch change {
    case .add(let node):
      Self.visit(node) { changes.append(ReferenceChange(table: $0, row: $1, isAdded: true)) }
    case .remove(let node):
      Self.visit(node) { changes.append(ReferenceChange(table: $0, row: $1, isAdded: false)) }
    case .edit(let old, let new):
      let table = new.layout.table
      changes.append(ReferenceChange(table: table, row: new, isAdded: true))
      changes.append(ReferenceChange(table: table, row: old, isAdded: false))
    case .child(_, _, let below): add(below)
    }
  }

  private static func visit(_ node: RecordedNode, _ body: (String, Row) -> Void) {
    body(node.row.layout.table, node.row)
    for (_, nodes) in node.related {
      for node in nodes { visit(node, body) }
    }
  }
}
