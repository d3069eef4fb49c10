@_spi(Engine) import ZeroClient
import ZeroProtocol

/// Compares what the application saw with what it saw in the recording.
@MainActor struct TranscriptComparison {
  private let events: [VectorCase]

  init(_ events: [VectorCase]) { self.events = events }

  func check(_ clients: [String: TranscriptClient]) throws {
    for (name, client) in clients.sorted(by: { $0.key < $1.key }) {
      let seen = try events.filter {
        try $0.string("type") == "client" && $0.string("client") == name
      }.map { (what: try $0.string("what"), value: try $0.json("value")) }
      do {
        try checkStates(seen.filter { $0.what == "connectionState" }.map(\.value), client)
        try checkViews(seen, client)
        try checkOutcomes(seen, client)
        try checkPreloads(seen, client)
        try checkNames(seen)
      } catch {
        throw VectorFailure("client \(name): \(error)")
      }
    }
  }

  // MARK: -

  private typealias Seen = (what: String, value: JSONValue)

  private func checkStates(_ recorded: [JSONValue], _ client: TranscriptClient) throws {
    try expectEqual(
      JSONValue.array(client.states.map(withoutTimes)), .array(recorded.map(withoutTimes)),
      "states of the connection")
  }

  /// The reason of an attempt that timed out lists when what happened, which no other run repeats.
  private func withoutTimes(_ state: JSONValue) -> JSONValue {
    guard case .object(var object) = state, case .string(let reason)? = object["reason"],
      let end = reason.firstRange(of: " Connect events:")
    else { return state }
    object["reason"] = .string(String(reason[..<end.lowerBound]))
    return .object(object)
  }

  private func checkViews(_ seen: [Seen], _ client: TranscriptClient) throws {
    var recorded: [String: [Seen]] = [:]
    for event in seen {
      if let label = TranscriptView.label(event.what) { recorded[label, default: []].append(event) }
    }
    for (label, events) in recorded.sorted(by: { $0.key < $1.key }) {
      let snapshots = client.views[label] ?? []
      let isEqual =
        snapshots.count == events.count
        && zip(events, snapshots).allSatisfy { event, snapshot in
          TranscriptView.resultType(event.what) == snapshot.type
            && TranscriptView.matches(event.value, snapshot.data, snapshot.error)
        }
      if isEqual { continue }
      let lines =
        ["view \(label)", "  expected:"] + events.map { "    \($0.what) \($0.value.jsonString)" }
        + ["  got:"] + snapshots.map { "    \($0.type) \($0.data.jsonString)" }
      throw VectorFailure(lines.joined(separator: "\n"))
    }
  }

  /// Outcomes are recorded under free names, so those of the server tell by their order which mutation
  /// a name stands for.
  private func checkOutcomes(_ seen: [Seen], _ client: TranscriptClient) throws {
    let recorded = seen.filter { $0.what.hasSuffix(":server") }
    let own = client.serverOutcomes
    try expectEqual(
      JSONValue.array(own.map(\.value)), .array(recorded.map(\.value)), "outcomes on the server")
    var numbers: [String: Int] = [:]
    for (event, outcome) in zip(recorded, own) {
      numbers[String(event.what.dropLast(":server".count))] = outcome.mutation
    }
    for event in seen where event.what.hasSuffix(":client") {
      let name = String(event.what.dropLast(":client".count))
      guard let number = numbers[name] else { throw VectorFailure("mutation \(name) is unknown") }
      try expectEqual(client.clientOutcomes[number] ?? .null, event.value, event.what)
    }
  }

  private func checkPreloads(_ seen: [Seen], _ client: TranscriptClient) throws {
    let count = seen.count { $0.what == "preload:complete" }
    let complete = client.preloads.count {
      if case .success? = $0.complete.result { true } else { false }
    }
    try expectEqual(complete, count, "preloads that are complete")
  }

  private func checkNames(_ seen: [Seen]) throws {
    let known: Set<String> = ["created", "connectionState", "preload:complete", "note"]
    for (what, _) in seen where !known.contains(what) {
      guard
        TranscriptView.label(what) != nil || what.hasSuffix(":client") || what.hasSuffix(":server")
      else { throw VectorFailure("event \(what) is not understood") }
    }
  }
}
