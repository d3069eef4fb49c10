import ZeroProtocol

/// Recorded and given definitions, paired by the UTF-8 bytes of their names.
struct NamePairing<Recorded, Given> {
  let recorded: [Recorded]
  let given: [Given]
  let recordedName: (Recorded) -> String
  let givenName: (Given) -> String
  let subject: (String) -> DriftFailure.Subject

  init(
    recorded: [Recorded], given: [Given], _ recordedName: @escaping (Recorded) -> String,
    _ givenName: @escaping (Given) -> String,
    _ subject: @escaping (String) -> DriftFailure.Subject
  ) {
    self.recorded = recorded
    self.given = given
    self.recordedName = recordedName
    self.givenName = givenName
    self.subject = subject
  }

  /// What `check` finds for the pairs, and a failure for each name without a partner.
  func failures(_ check: (Recorded, Given) -> [DriftFailure]) -> [DriftFailure] {
    var failures: [DriftFailure] = []
    var byName: [UTF8Key: Given] = [:]
    for definition in given {
      let name = givenName(definition)
      if byName.updateValue(definition, forKey: UTF8Key(name)) != nil {
        failures.append(
          DriftFailure(
            .duplicateName, subject(name),
            "two definitions in Swift have this name; the last one is checked"))
      }
    }
    for entry in recorded {
      let name = recordedName(entry)
      if let definition = byName[UTF8Key(name)] {
        failures += check(entry, definition)
      } else {
        failures.append(
          DriftFailure(
            .missingHere, subject(name),
            "the file has it and Swift has not; define it, and give it to the check"))
      }
    }
    var names = Set(recorded.map { UTF8Key(recordedName($0)) })
    for definition in given {
      let name = givenName(definition)
      if names.insert(UTF8Key(name)).inserted {
        failures.append(
          DriftFailure(
            .missingThere, subject(name),
            "Swift has it and the file has not; add samples of it and record again, or remove it"))
      }
    }
    return failures
  }
}
