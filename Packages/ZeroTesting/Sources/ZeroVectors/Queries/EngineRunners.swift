import ZeroProtocol

/// Runners of the files about queries over tables that change.
let engineRunners: [String: VectorRunner] = [
  "absent": .standard(),
  "batch": .engine(BatchCases.fields, BatchCases.run),
  "cap": .standard(),
  "edits": .standard(),
  "errors": .engine(ErrorCases.fields, ErrorCases.run),
  "exists": .standard(),
  "exists-flip": .standard(),
  "filter": .standard(),
  "fixtures": .fixture(headerFields: ["schemas", "data"]) { _ = try EngineFixtures($0) },
  "forks": .engine(ForkCases.fields, ForkCases.run),
  "fuzz-edge": .standard(isBrief: true),
  "fuzz-multi": .standard(isBrief: true),
  "fuzz-not-exists": .standard(isBrief: true),
  "fuzz-pk-edits": .standard(isBrief: true),
  "fuzz-tracker": .standard(isBrief: true),
  "junction": .standard(),
  "large": .standard(isBrief: true),
  "limit": .standard(),
  "multi": .standard(),
  "one": .standard(),
  "or-exists": .standard(),
  "order": .standard(),
  "related": .standard(),
  "values": .standard(),
]

/// The runner of a file of queries of whatever name: its cases tell what they are.
func engineRunner(of file: VectorFile) -> VectorRunner? {
  if let runner = engineRunners[file.name] { return runner }
  guard let test = file.cases.first else { return nil }
  if test.has("error") { return engineRunners["errors"] }
  guard test.has("actions") else {
    return .standard(isBrief: file.name.hasPrefix("fuzz") || file.name.hasPrefix("large"))
  }
  let isForking = file.cases.contains { test in
    guard case .array(let actions)? = test.object["actions"] else { return false }
    return actions.contains { action in
      guard case .object(let action) = action else { return false }
      return action["branch"] != nil || action["from"] != nil
    }
  }
  return engineRunners[isForking ? "forks" : "batch"]
}

extension VectorRunner {
  fileprivate static func standard(isBrief: Bool = false) -> VectorRunner {
    engine(StandardCases.fields) { try StandardCases.run($0, $1, isBrief: isBrief) }
  }

  fileprivate static func engine(
    _ fields: Set<String>,
    _ run: @escaping @Sendable (VectorCase, EngineFixtures) throws -> Void
  ) -> VectorRunner {
    VectorRunner(
      fields: fields,
      prepare: { file in
        let fixtures = try EngineFixtures(try file.sibling("fixtures"))
        return { try run($0, fixtures) }
      })
  }
}
