import ZeroProtocol

/// A level of a query's result together with the joins that feed it.
final class ViewLevel {
  struct Relation {
    let join: Join
    let level: ViewLevel
    /// Where the level is shown in the entries of this one. Below a hidden level: where the hidden
    /// level itself would be.
    let slot: Int
  }

  let order: RowOrder
  let isHidden: Bool
  let isSingular: Bool
  let shape: ResultShape
  let relations: [Relation]
  /// What a new entry's related rows start with.
  let blank: ContiguousArray<ViewData>

  init(_ pipeline: PipelineLevel, _ format: Format, isHidden: Bool = false) {
    order = pipeline.end.order
    self.isHidden = isHidden
    isSingular = format.singular
    if isHidden {
      relations = pipeline.relations.map {
        Relation(
          join: $0.join, level: ViewLevel($0.level, format, isHidden: $0.isHidden), slot: 0)
      }
      shape =
        relations.first?.level.shape ?? ResultShape(layout: pipeline.layout, relationships: [])
      blank = []
      return
    }
    // Relationships that the format does not name are not shown.
    var relations: [Relation] = []
    var shown: [ResultShape.Relationship] = []
    for (name, format) in format.relationships {
      guard let found = pipeline.relations.first(where: { $0.name.utf8.elementsEqual(name.utf8) })
      else { continue }
      let level = ViewLevel(found.level, format, isHidden: found.isHidden)
      relations.append(Relation(join: found.join, level: level, slot: shown.count))
      shown.append(
        ResultShape.Relationship(name: name, isSingular: format.singular, shape: level.shape))
    }
    self.relations = relations
    shape = ResultShape(layout: pipeline.layout, relationships: shown)
    blank = ContiguousArray(shown.map { $0.isSingular ? .one(nil) : .many(EntryList()) })
  }

  func relation(of join: JoinOperator) -> Relation? { relations.first { $0.join === join } }
}
