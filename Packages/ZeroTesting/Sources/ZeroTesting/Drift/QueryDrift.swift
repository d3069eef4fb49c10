@_spi(Engine) import ZeroClient
import ZeroIVM
import ZeroProtocol

/// The checks of one sample of a query.
struct QueryDrift<Context> {
  private let definition: any AnyQueryDefinition<Context>
  private let sample: DriftFile.QuerySample
  private let context: (JSONValue?) throws -> Context

  init(
    _ definition: any AnyQueryDefinition<Context>, _ sample: DriftFile.QuerySample,
    _ context: @escaping (JSONValue?) throws -> Context
  ) {
    self.definition = definition
    self.sample = sample
    self.context = context
  }

  func failures() -> [DriftFailure] {
    var failures: [DriftFailure] = []
    do {
      let reencoded = try definition.reencoded(sample.args)
      if let difference = DriftArguments.difference(sample.args, reencoded) {
        failures.append(failure(.arguments, difference))
      }
    } catch {
      // Arguments that the type refuses are as good as an error of the definition.
      if case .error = sample.result { return [] }
      return [failure(.arguments, DriftArguments.unreadable(sample.args, error))]
    }
    let context: Context
    do {
      context = try self.context(sample.context)
    } catch {
      return failures + [failure(.context, DriftArguments.unusable(sample.context, error))]
    }
    let query: Result<NamedQuery, any Error> = Result {
      try definition.query(sample.args, context)
    }
    switch (query, sample.result) {
    case (.failure(let error), .error(let expected)):
      if let difference = DriftErrors.difference(expected, error, needsDetails: false) {
        failures.append(failure(.error, difference))
      }
    case (.failure(let error), .query):
      failures.append(
        failure(.error, "Swift throws and TypeScript does not: \(Drift.text(of: error))"))
    case (.success, .error(let expected)):
      let text = expected.message.map { ": \($0)" } ?? ""
      failures.append(failure(.error, "TypeScript throws and Swift does not\(text)"))
    case (.success(let query), .query(let id, let ast, let hash, let format)):
      let hasOtherArguments = !failures.isEmpty
      if !hasOtherArguments { failures += differences(query, id: id) }
      failures += differences(query, ast, hash)
      failures += differences(query, format)
    }
    return failures
  }

  // MARK: -

  private func differences(_ query: NamedQuery, id: String) -> [DriftFailure] {
    let own = queryID(name: query.name, arguments: query.args)
    guard !own.utf8.elementsEqual(id.utf8) else { return [] }
    return [
      failure(
        .queryID,
        "recorded as \(id), Swift asks for \(own), of the text \(query.name):"
          + JSONValue.array(query.args).jsonString)
    ]
  }

  private func differences(
    _ query: NamedQuery, _ recorded: JSONValue, _ hash: String
  ) -> [DriftFailure] {
    let own: JSONValue
    let ownHash: String
    do {
      own = try query.ast.normalized().jsonValue
      ownHash = try query.ast.hash()
    } catch {
      return [failure(.ast, "the Swift query cannot be hashed: \(error)")]
    }
    let isSame =
      own == recorded
      || (try? AST(json: recorded, unknownMembers: .kept).normalized().jsonValue) == own
    let haveOneHash = ownHash.utf8.elementsEqual(hash.utf8)
    if isSame && haveOneHash { return [] }
    let what =
      if let place = JSONDifference.first(recorded, own), !isSame {
        "the ASTs differ, first at \(place)"
      } else {
        "the ASTs are equal and the hashes differ, so the recorded hash is of another AST"
      }
    return [
      failure(
        .ast,
        """
        \(what)
        recorded, \(hash):
        \(recorded.indented)
        Swift, \(ownHash):
        \(own.indented)
        """)
    ]
  }

  private func differences(_ query: NamedQuery, _ format: Format) -> [DriftFailure] {
    guard query.format != format else { return [] }
    return [
      failure(
        .format,
        """
        the formats differ
        recorded:
        \(format.json.indented)
        Swift:
        \(query.format.json.indented)
        """)
    ]
  }

  private func failure(_ kind: DriftFailure.Kind, _ message: String) -> DriftFailure {
    DriftFailure(kind, .query(sample.name), sample: sample.label, message)
  }
}

extension Format {
  /// As drift files have it.
  fileprivate var json: JSONValue {
    .object([
      "singular": .bool(singular),
      "relationships": .object(JSONObject(relationships.map { ($0.name, $0.format.json) })),
    ])
  }
}
