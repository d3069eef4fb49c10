import ZeroProtocol

/// Recorded and given definitions, paired by the UTF-8 bytes of their names.
struct NamePairing<Recorded, Given> {
  private let recorded: [(name: String, definition: Recorded)]
  private let given: [(name: String, definition: Given)]

  init(_ recorded: [(String, Recorded)], _ given: [(String, Given)]) {
    self.recorded = recorded.map { (name: $0, definition: $1) }
    self.given = given.map { (name: $0, definition: $1) }
  }

  /// What `check` finds for the pairs, and a failure for each name without a partner.
  /// - Complexity: O(n)
  func failures(
    _ subject: (String) -> DriftFailure.Subject, _ check: (Recorded, Given) -> [DriftFailure]
  ) -> [DriftFailure] {
    var failures: [DriftFailure] = []
    var byName: [UTF8Key: Given] = [:]
    for (name, definition) in given
    where byName.updateValue(definition, forKey: UTF8Key(name)) != nil {
      failures.append(
        DriftFailure(
          .duplicateName, subject(name),
          "two definitions in Swift have this name; the last one is checked"))
    }
    for (name, definition) in recorded {
      if let partner = byName[UTF8Key(name)] {
        failures += check(definition, partner)
      } else {
        failures.append(
          DriftFailure(
            .missingHere, subject(name),
            "the file has it and Swift has not; define it, and give it to the check"))
      }
    }
    var names = Set(recorded.map { UTF8Key($0.name) })
    for (name, _) in given where names.insert(UTF8Key(name)).inserted {
      failures.append(
        DriftFailure(
          .missingThere, subject(name),
          "Swift has it and the file has not; add samples of it and record again, or remove it"))
    }
    return failures
  }
}
