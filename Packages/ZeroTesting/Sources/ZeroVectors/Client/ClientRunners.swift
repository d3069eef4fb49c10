import ZeroContracts
public import ZeroProtocol
import ZeroStoreMemory

/// Runners of the scenarios of a whole client, on memory stores.
let clientRunners = clientScenarioRunners { MemoryStoreProvider() }

/// Runners of the scenarios of a whole client.
/// - Parameter makeStorage: called for each scenario, gives empty storage that outlives its clients.
public func clientScenarioRunners(
  makeStorage: @escaping @Sendable () throws -> any StoreProvider
) -> [String: VectorRunner] {
  let areas = ["connection", "lifecycle", "mutations", "pokes", "queries", "stories", "views"]
  var runners = Dictionary(
    uniqueKeysWithValues: areas.map { ($0, scenarioRunner(makeStorage: makeStorage)) })
  runners["fixtures"] = .fixture(headerFields: ["schemas"]) { file in
    _ = try ScenarioSchemas(file)
  }
  return runners
}

/// Scenarios that come out otherwise on purpose, by name; each has a test of its own.
private let exceptedScenarios = [
  "mutator-throws-on-rebase": "only the mutator's prediction is abandoned",
  "throwing-rerun-blocks-storage": "changes are stored at once and nothing runs again for it",
  "reopen-other-mutators": "a client group is joined whatever mutators it was made with",
  "run-complete-error": "a run fails with the error, not with the data",
  "run-complete-pending-at-close": "a run fails with the error, not with the data",
]

/// Tags of scenarios that come out otherwise on purpose, or are out of scope.
private let exceptedTags = [
  "persist-timing": "changes are stored at once",
  "multi-instance": "a second client on one store is refused",
  "legacy": "the legacy switches of schemas are not supported",
]

private func scenarioRunner(
  makeStorage: @escaping @Sendable () throws -> any StoreProvider
) -> VectorRunner {
  VectorRunner(fields: ["name", "description", "tags", "startHidden", "steps"]) { file in
    let schemas = try ScenarioSchemas(file.sibling("fixtures"))
    return { test in
      if let reason = exceptedScenarios[test.id] { throw VectorException(reason) }
      if test.has("tags") {
        for case .string(let tag) in try test.array("tags") {
          if let reason = exceptedTags[tag] { throw VectorException(reason) }
        }
      }
      let storage = try makeStorage()
      try await MainActor.run {
        let startsHidden = test.has("startHidden") ? try test.bool("startHidden") : false
        let scenario = Scenario(schemas: schemas, storage: storage, isVisible: !startsHidden)
        defer { scenario.closeAll() }
        for (place, step) in try test.array("steps").enumerated() {
          do {
            try scenario.run(step)
          } catch {
            throw VectorFailure("step \(place + 1): \(error)")
          }
        }
      }
    }
  }
}
