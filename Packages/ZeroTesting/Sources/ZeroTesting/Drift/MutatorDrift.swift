@_spi(Engine) import ZeroClient
import ZeroProtocol

/// The checks of one sample of a mutator.
@MainActor struct MutatorDrift<Context> {
  private let definition: any AnyMutator<Context>
  private let sample: DriftFile.MutatorSample
  private let schema: ZeroSchema
  private let context: (JSONValue?) throws -> Context

  init(
    _ definition: any AnyMutator<Context>, _ sample: DriftFile.MutatorSample, _ schema: ZeroSchema,
    _ context: @escaping (JSONValue?) throws -> Context
  ) {
    self.definition = definition
    self.sample = sample
    self.schema = schema
    self.context = context
  }

  func failures() -> [DriftFailure] {
    var failures: [DriftFailure] = []
    do {
      let reencoded = try definition.reencoded(sample.args)
      if let difference = DriftArguments.mutatorDifference(sample.args, reencoded) {
        failures.append(failure(.arguments, difference))
      }
    } catch {
      // Arguments that the type refuses are as good as an error of the mutator, with no changes.
      guard sample.effect?.error == nil else { return [] }
      return [failure(.arguments, DriftArguments.unreadable(sample.args, error))]
    }
    guard let effect = sample.effect else { return failures }
    do {
      return failures + (try self.failures(effect))
    } catch {
      return failures + [error]
    }
  }

  // MARK: -

  /// - Throws: what keeps the mutator from being run.
  private func failures(_ effect: DriftFile.MutatorSample.Effect) throws(DriftFailure)
    -> [DriftFailure]
  {
    let rows = DriftRows(schema)
    let (changes, seed) = try orFail(.malformedFile, { "\($0)" }) {
      (try rows.changes(effect.changes), try rows.seed(effect.seed))
    }
    let trial = try orFail(.malformedFile, { "the seed cannot be loaded: \($0)" }) {
      try MutatorTrial(schema: schema, rows: seed)
    }
    let context = try orFail(.context, { DriftArguments.unusable(sample.context, $0) }) {
      try self.context(sample.context)
    }
    var failures: [DriftFailure] = []
    var own: [DriftRows.Change] = []
    do {
      own = try trial.run(
        definition.definition(context), sample.args, clientID: sample.clientID,
        mutationID: sample.mutationID
      ).compactMap { rows.change($0.table, $0.before, $0.after) }
      if let expected = effect.error {
        failures.append(
          failure(.outcome, "TypeScript throws and Swift does not: \(expected.message ?? "")"))
      }
    } catch {
      if let expected = effect.error {
        if let difference = DriftErrors.difference(expected, error, needsDetails: true) {
          failures.append(failure(.outcome, difference))
        }
      } else {
        failures.append(
          failure(.outcome, "Swift throws and TypeScript does not: \(Drift.text(of: error))"))
      }
    }
    if let difference = rows.difference(changes, own) {
      failures.append(failure(.changes, difference))
    }
    return failures
  }

  /// Makes a failure of what `body` throws.
  private func orFail<T>(
    _ kind: DriftFailure.Kind, _ text: (any Error) -> String, _ body: () throws -> T
  ) throws(DriftFailure) -> T {
    do {
      return try body()
    } catch {
      throw failure(kind, text(error))
    }
  }

  private func failure(_ kind: DriftFailure.Kind, _ message: String) -> DriftFailure {
    DriftFailure(kind, .mutator(sample.name), sample: sample.label, message)
  }
}
