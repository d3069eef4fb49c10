import ZeroIVM
import ZeroProtocol

extension DriftFile.QuerySample {
  init(_ name: String, _ sample: DriftFields.Element) throws {
    let fields = try DriftFields(sample.value, sample.place)
    self.name = name
    label = try fields.string("label")
    args = fields.object["args"]
    context = fields.object["context"]
    if fields.object["error"] != nil {
      try fields.allow(["label", "args", "context", "error"])
      result = .error(try DriftFile.ErrorSample(query: fields.fields("error")))
      return
    }
    try fields.allow(["label", "args", "context", "queryID", "ast", "astHash", "format"])
    let ast = try fields.value("ast")
    do {
      _ = try AST(json: ast, unknownMembers: .kept)
    } catch {
      throw DriftFormatError("\(sample.place): ast is no query, \(error)")
    }
    result = .query(
      id: try fields.string("queryID"), ast: ast, hash: try fields.string("astHash"),
      format: try Format(drift: fields.fields("format"), depth: 0))
  }
}

extension DriftFile.MutatorSample {
  init(_ name: String, _ sample: DriftFields.Element, isServerOnly: Bool) throws {
    let fields = try DriftFields(sample.value, sample.place)
    self.name = name
    label = try fields.string("label")
    args = fields.object["args"]
    context = fields.object["context"]
    clientID = try fields.optionalString("clientID") ?? "client"
    mutationID = try fields.optionalInteger("mutationID") ?? 1
    var known = ["label", "args", "context", "clientID", "mutationID"]
    if isServerOnly {
      try fields.allow(known)
      effect = nil
      return
    }
    known += ["seed", "outcome", "changes"]
    try fields.allow(known)
    let outcome = try fields.fields("outcome")
    let error: DriftFile.ErrorSample?
    switch try outcome.string("type") {
    case "success":
      try outcome.allow(["type"])
      error = nil
    case "app": error = try DriftFile.ErrorSample(outcome: outcome)
    case let type:
      throw DriftFormatError(
        "\(outcome.place).type is \"\(type)\", which is neither \"success\" nor \"app\"")
    }
    effect = Effect(
      seed: try fields.fields("seed").object, error: error,
      changes: try fields.array("changes").map(\.value))
  }
}

extension DriftFile.ErrorSample {
  /// - Parameter fields: of the `error` of a query.
  fileprivate init(query fields: DriftFields) throws {
    try fields.allow(["message", "details"])
    message = try fields.optionalString("message")
    details = fields.object["details"]
  }

  /// - Parameter fields: of an outcome that is an error.
  fileprivate init(outcome fields: DriftFields) throws {
    try fields.allow(["type", "message", "details"])
    message = try fields.string("message")
    details = fields.object["details"]
  }
}

extension Format {
  private static let depthLimit = 100

  fileprivate init(drift fields: DriftFields, depth: Int) throws {
    guard depth < Self.depthLimit else {
      throw DriftFormatError("\(fields.place) is nested deeper than \(Self.depthLimit) levels")
    }
    try fields.allow(["singular", "relationships"])
    guard let singular = try fields.optionalBool("singular") else {
      throw DriftFormatError("\(fields.place).singular is missing")
    }
    let relationships = try fields.fields("relationships")
    self.init(
      singular: singular,
      relationships: try relationships.object.members.map { name, _ in
        (name, try Format(drift: relationships.fields(name), depth: depth + 1))
      })
  }
}
