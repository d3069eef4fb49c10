import ZeroContracts
public import ZeroProtocol
import ZeroStoreMemory

/// The runner of every recorded flow, on memory stores.
let transcriptRunner = transcriptReplayRunner { MemoryStoreProvider() }

/// The runner of every recorded flow between a client and a server.
///
/// All that was sent decodes, and encodes to an equal message again. Then the server's side is played to
/// our client: views, outcomes, states of the connection and the client's messages are those of the
/// recording. Flows that were typed by hand had no application that saw anything, so that for them the
/// first part is all there is to check.
/// - Parameter makeStorage: called for each client, gives empty storage.
public func transcriptReplayRunner(
  makeStorage: @escaping @Sendable () throws -> any StoreProvider
) -> VectorRunner {
  VectorRunner(fields: ["name", "description", "protocolVersion", "events"]) { file in
    let app = try TranscriptApp(VectorFile.object(file.folder + "/app/schema.json"))
    return { test in
      let version = try test.int("protocolVersion")
      guard SyncProtocol.supportedVersions.contains(version) else {
        throw VectorFailure("protocol version \(version) is not supported")
      }
      let isTyped = try test.string("description").utf8.starts(with: "Hand written".utf8)
      var frames = RecordedFrames(isTyped: isTyped)
      var events: [VectorCase] = []
      for (index, event) in try test.array("events").enumerated() {
        do {
          guard case .object(let object) = event else { throw VectorFailure("no object") }
          events.append(VectorCase(id: "\(index)", object: object))
          try frames.check(events[index])
        } catch {
          throw VectorFailure("event \(index): \(error)")
        }
      }
      try frames.finish()
      if isTyped { return }
      try await MainActor.run { [events] in
        try TranscriptReplay(app, events, makeStorage: makeStorage).run()
      }
    }
  }
}
