/// How far the replay of one connection is: frames in, what to do out.
struct ReplaySession: Sendable {
  enum Action: Sendable, Equatable {
    case send(Transcript.Frame)
    /// Close with this code, or with none.
    case close(UInt16?, reason: String)
    /// End the connection without a close frame.
    case drop
  }

  private var steps: ArraySlice<Transcript.Step>
  /// What the client did otherwise than the recorded one.
  private(set) var deviations: [String] = []

  init(_ connection: Transcript.Connection) { steps = connection.steps[...] }

  /// Whether everything recorded has happened.
  var isFinished: Bool {
    steps.allSatisfy {
      if case .send = $0 { false } else if case .receive = $0 { false } else { true }
    }
  }

  /// The connection is open: what the server says before the client says anything.
  mutating func start() -> [Action] { proceed() }

  /// The client has sent a frame.
  mutating func receive(_ frame: Transcript.Frame) -> [Action] {
    let type = frame.messageType
    guard case .send(let expected)? = steps.first else {
      return type == "ping" ? [.send(Self.pong)] : note("an unexpected '\(type ?? "?")'")
    }
    let expectedType = expected.messageType
    if type == "ping", expectedType != "ping" { return [.send(Self.pong)] }
    if type != expectedType {
      _ = note("a '\(type ?? "?")' where the recorded one sent a '\(expectedType ?? "?")'")
    }
    steps.removeFirst()
    return proceed()
  }

  // MARK: -

  private static let pong = Transcript.Frame.text(Array(#"["pong",{}]"#.utf8))

  private mutating func note(_ deviation: String) -> [Action] {
    deviations.append("The client sent \(deviation).")
    return []
  }

  /// What follows up to the next frame of the client.
  private mutating func proceed() -> [Action] {
    var actions: [Action] = []
    while let step = steps.first {
      switch step {
      case .send, .clientClose: return actions
      case .receive(let frame): actions.append(.send(frame))
      case .close(let code, let reason):
        actions.append(
          code == 1006 ? .drop : .close(code == 1005 ? nil : code, reason: reason))
      }
      steps.removeFirst()
    }
    return actions
  }
}
