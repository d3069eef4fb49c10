import ZeroProtocol

/// The last messages sent on a connection, to say which one was too big when the server says so.
///
/// Only sizes and the names of mutators and queries are kept: what is told of them gets into states, logs
/// and diagnostics, and arguments, tokens and headers are the user's.
struct SentMessages {
  private var latest: [(type: String, parts: [Part], length: Int)] = []
  private static let keptCount = 5
  private static let keptNames = 3

  mutating func note(_ message: UpstreamMessage, length: Int) {
    if case .ping = message { return }
    latest.append((message.type, Self.parts(of: message), length))
    if latest.count > Self.keptCount { latest.removeFirst() }
  }

  /// What to add to the message about a close with code 1009.
  var report: String {
    guard !latest.isEmpty else { return "" }
    let lines = latest.map {
      "\(Self.describe($0.type, $0.parts.map(\.description))): \($0.length) bytes"
    }
    return "\nRecent sent messages:\n" + lines.joined(separator: "\n")
  }

  // MARK: -

  /// What a message is about. Put into words only for a report, since most messages are in none.
  private enum Part {
    case mutation(name: String?, MutationID)
    case query(String)

    var description: String {
      switch self {
      case .mutation(let name, let id):
        "\(name.map { $0 + " " } ?? "")\(id.id.javaScriptText) of \(id.clientID)"
      case .query(let name): name
      }
    }
  }

  private static func parts(of message: UpstreamMessage) -> [Part] {
    switch message {
    case .push(let push):
      push.mutations.map { mutation in
        guard case .custom(let name, _) = mutation.content else {
          return .mutation(name: nil, mutation.id)
        }
        return .mutation(name: name, mutation.id)
      }
    case .changeDesiredQueries(let change): change.desiredQueriesPatch.compactMap(query)
    case .initConnection(let first): first.desiredQueriesPatch.compactMap(query)
    default: []
    }
  }

  private static func query(_ operation: DesiredQueryOp) -> Part? {
    guard case .put(let query) = operation else { return nil }
    return query.name.map { .query($0) }
  }

  private static func describe(_ type: String, _ names: [String]) -> String {
    guard !names.isEmpty else { return type }
    let more = names.count > keptNames ? ", \(names.count - keptNames) more" : ""
    return "\(type) of \(names.prefix(keptNames).joined(separator: ", "))\(more)"
  }
}
