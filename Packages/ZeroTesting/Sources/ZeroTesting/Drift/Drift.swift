public import ZeroClient
public import ZeroProtocol

/// Checks that an app's queries and mutators in Swift do what those in TypeScript do.
///
/// The app's team records a file of samples from the TypeScript registries: queries with the AST
/// that they build, and mutators with what they change on given rows. A test of the Swift app
/// replays it:
///
///     #expect(
///       Drift.failures(
///         vectors: file, schema: .app, queries: [IssueQueries.byStatus],
///         mutators: [IssueMutators.close]) == [])
///
/// Queries have to build the same AST, under the same hash, with the same format of the result and
/// the same ID; mutators have to come to the same outcome and the same net changes of rows. Every
/// name has to be on both sides; arguments have to survive the way through their Swift type; the
/// schemas have to have one hash.
@MainActor public enum Drift {
  /// What differs between a drift file and definitions whose context can be decoded.
  ///
  /// A context that the file does not have, which is JavaScript's `undefined`, reads as null does:
  /// both are nil for an optional context and a failure for any other.
  /// - Parameters:
  ///   - vectors: a file of the format `zero-drift/1`: its URL, or its bytes.
  ///   - queries: all named queries of the app.
  ///   - mutators: all mutators of the app.
  /// - Returns: empty if nothing differs. What is wrong with the file comes first, then queries and
  ///   mutators in the order of the file, each with the names that the file lacks at the end.
  public static func failures<Context: Decodable>(
    vectors: some DriftSource, schema: ZeroSchema,
    queries: [any AnyQueryDefinition<Context>], mutators: [any AnyMutator<Context>]
  ) -> [DriftFailure] {
    failures(vectors: vectors, schema: schema, queries: queries, mutators: mutators) {
      try JSONValueDecoder().decode(Context.self, from: $0 ?? .null)
    }
  }

  /// What differs between a drift file and definitions of any context.
  /// - Parameter context: makes the context of a sample from the recorded one, which is nil where
  ///   the file has none and JSON null where it has null.
  public static func failures<Context>(
    vectors: some DriftSource, schema: ZeroSchema,
    queries: [any AnyQueryDefinition<Context>], mutators: [any AnyMutator<Context>],
    context: @escaping (JSONValue?) throws -> Context
  ) -> [DriftFailure] {
    let file: DriftFile
    do {
      file = try DriftFile(vectors.driftBytes())
    } catch {
      return [DriftFailure(.malformedFile, .file, "the file cannot be used: \(text(of: error))")]
    }
    do {
      try schema.validate()
    } catch {
      return file.failures + [DriftFailure(.schema, .schema, error.message)]
    }
    var failures = file.failures + hashFailures(schema, file)
    if let recorded = file.queries {
      failures += NamePairing(recorded.map { ($0.name, $0) }, queries.map { ($0.name, $0) })
        .failures(DriftFailure.Subject.query) { recorded, query in
          recorded.samples.flatMap { QueryDrift(query, $0, context).failures() }
        }
    }
    if let recorded = file.mutators {
      failures += NamePairing(recorded.map { ($0.name, $0) }, mutators.map { ($0.name, $0) })
        .failures(DriftFailure.Subject.mutator) { recorded, mutator in
          recorded.samples.flatMap { MutatorDrift(mutator, $0, schema, context).failures() }
        }
    }
    return failures
  }

  // MARK: -

  private static func hashFailures(_ schema: ZeroSchema, _ file: DriftFile) -> [DriftFailure] {
    let hash = schema.clientSchema.hash
    guard let recorded = file.schemaHash, hash != recorded else { return [] }
    return [
      DriftFailure(
        .schemaHash, .schema,
        "recorded with schema \(recorded), the Swift schema is \(hash); generate the tables again, "
          + "or record the file again")
    ]
  }

  /// An error in words.
  nonisolated static func text(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    @unknown default: return "\(error)"
    }
  }
}
