import Zero

func offlineOptions(_ cacheURL: String) -> ZeroOptions {
  var options = ZeroOptions.standard(cacheURL: cacheURL)
  options.offlineWrites = .queue(limit: 10_000)
  return options
}

@MainActor func showNotes(_ zero: Zero<User>) async throws {
  let notes = try zero.liveQuery(openNotes())
  print(notes.data.map(\.text), notes.resultType)  // unknown, as yet
  print(try await notes.settled(.complete).count)
  print(try zero.runNow(openNotes()).count)
}

@MainActor func addNote(_ text: String, id: String, _ zero: Zero<User>) async throws {
  let mutation = zero.mutate(createNote(NewNote(id: id, text: text)))
  switch try await mutation.server.value {
  case .success: print("saved")
  case .applicationError(let error): print("refused:", error.message)
  case .zeroError(let error): print("not known yet:", error.message)
  }
}

@MainActor func reportRefused(_ zero: Zero<User>) async {
  for await refused in zero.refusedMutations.stream {
    print(refused.name, refused.args.jsonString, refused.reason, refused.error.message)
    zero.refusedMutations.acknowledge(refused.id)
  }
}

@MainActor func status(_ zero: Zero<User>) -> String {
  switch zero.pending.activity {
  case .idle: "all saved"
  case .sending: "saving \(zero.pending.count)"
  case .waiting(let reason, _): "\(zero.pending.count) wait: \(reason)"
  case .blocked(let reason): "\(zero.pending.count) cannot be sent: \(reason)"
  }
}

@MainActor func signOut(_ zero: Zero<User>) async throws {
  try await zero.flush(until: .confirmed).value
  let report = try await zero.delete().value
  for (database, error) in report.errors { print(database, error) }
}

@MainActor func keepConnected(_ zero: Zero<User>, token: () async throws -> String) async throws {
  for await state in zero.connection.states {
    switch state {
    case .needsAuth: zero.connection.connect(auth: try await token())
    case .disconnected(let reason): print("offline:", reason)
    case .error(let reason): print("stopped:", reason)
    case .connecting, .connected, .closed: break
    }
  }
}
