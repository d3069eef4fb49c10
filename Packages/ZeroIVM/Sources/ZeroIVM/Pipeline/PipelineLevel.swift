import ZeroProtocol

/// One table level of a built query: its last operator and the joins of its nested results.
final class PipelineLevel {
  struct Relation {
    let name: String
    /// Whether results leave the level out and show what is below it instead.
    let isHidden: Bool
    let join: Join
    let level: PipelineLevel
  }

  let end: Operator
  let layout: RowLayout
  let relations: [Relation]

  init(end: Operator, layout: RowLayout, relations: [Relation]) {
    self.end = end
    self.layout = layout
    self.relations = relations
  }
}
