@_spi(Engine) import ZeroClient
import ZeroProtocol

/// The checks of one sample of a mutator.
@MainActor struct MutatorDrift<Context> {
  private let definition: any AnyMutator<Context>
  private let sample: DriftFile.MutatorSample
  private let schema: ZeroSchema
  private let isServerOnly: Bool
  private let context: (JSONValue?) throws -> Context

  init(
    _ definition: any AnyMutator<Context>, _ sample: DriftFile.MutatorSample, schema: ZeroSchema,
    isServerOnly: Bool, _ context: @escaping (JSONValue?) throws -> Context
  ) {
    self.definition = definition
    self.sample = sample
    self.schema = schema
    self.isServerOnly = isServerOnly
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
    let rows = DriftRows(schema)
    let seed: [Row]
    let changes: [DriftRows.Change]
    do {
      seed = try rows.seed(effect.seed)
      changes = try rows.changes(effect.changes)
    } catch {
      return failures + [failure(.malformedFile, "\(error)")]
    }
    let context: Context
    do {
      context = try self.context(sample.context)
    } catch {
      return failures + [failure(.context, DriftArguments.unusable(sample.context, error))]
    }
    let trial: MutatorTrial
    do {
      trial = try MutatorTrial(schema: schema, rows: seed)
    } catch {
      return failures + [failure(.malformedFile, "the seed cannot be loaded: \(error)")]
    }
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
        if let difference = DriftErrors.outcomeDifference(expected, error) {
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

  // MARK: -

  private func failure(_ kind: DriftFailure.Kind, _ message: String) -> DriftFailure {
    DriftFailure(kind, .mutator(sample.name), sample: sample.label, message)
  }
}
