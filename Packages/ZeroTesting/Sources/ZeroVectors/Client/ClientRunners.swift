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
  var runners = Dictionary(
    uniqueKeysWithValues: scenarioAreas.map { ($0, scenarioRunner(makeStorage: makeStorage)) })
  runners["fixtures"] = .fixture(headerFields: ["schemas"]) { file in
    _ = try ScenarioSchemas(file)
  }
  return runners
}

/// The runner of a file of scenarios of whatever name.
func scenarioRunner(of file: VectorFile) -> VectorRunner? {
  if let runner = clientRunners[file.name] { return runner }
  guard file.header["format"] == .string("zero-client-scenarios") else { return nil }
  return clientRunners[scenarioAreas[0]]
}

private let scenarioAreas = [
  "connection", "lifecycle", "mutations", "pokes", "queries", "stories", "views",
]

/// Scenarios that may come out otherwise on purpose, by name; each has a test of its own.
private let exceptedScenarios = [
  "mutator-throws-on-rebase": "only the mutator's prediction is abandoned",
  "throwing-rerun-blocks-storage": "changes are stored at once and nothing runs again for it",
  "reopen-other-mutators": "a client group is joined whatever mutators it was made with",
]

/// Tags of scenarios that may come out otherwise on purpose, or are out of scope.
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
      let exception = try exception(for: test)
      do {
        try await run(test, schemas, try makeStorage())
      } catch {
        if let exception { throw VectorException(exception) }
        throw error
      }
    }
  }
}

/// Why a scenario may come out otherwise; nil if it may not. One that comes out as recorded all the same
/// is no exception.
private func exception(for test: VectorCase) throws -> String? {
  if let reason = exceptedScenarios[test.id] { return reason }
  guard test.has("tags") else { return nil }
  for case .string(let tag) in try test.array("tags") {
    if let reason = exceptedTags[tag] { return reason }
  }
  return nil
}

@MainActor private func run(
  _ test: VectorCase, _ schemas: ScenarioSchemas, _ storage: any StoreProvider
) throws {
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
