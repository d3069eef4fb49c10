import ZeroProtocol

/// The last messages sent on a connection, to say which one was too big when the server says so.
///
/// Only sizes and the names of mutators and queries are kept: what is told of them gets into states, logs
/// and diagnostics, and arguments, tokens and headers are the user's.
struct SentMessages {
  private var latest: [(description: String, length: Int)] = []
  private static let keptCount = 5
  private static let keptNames = 3

  mutating func note(_ message: UpstreamMessage, length: Int) {
    if case .ping = message { return }
    latest.append((Self.describe(message), length))
    if latest.count > Self.keptCount { latest.removeFirst() }
  }

  /// What to add to the message about a close with code 1009.
  var report: String {
    guard !latest.isEmpty else { return "" }
    let lines = latest.map { "\($0.description): \($0.length) bytes" }
    return "\nRecent sent messages:\n" + lines.joined(separator: "\n")
  }

  // MARK: -

  private static func describe(_ message: UpstreamMessage) -> String {
    let names: [String]
    switch message {
    case .push(let push):
      names = push.mutations.map { mutation in
        let id = "\(mutation.id.id.javaScriptText) of \(mutation.id.clientID)"
        guard case .custom(let name, _) = mutation.content else { return id }
        return "\(name) \(id)"
      }
    case .changeDesiredQueries(let change): names = change.desiredQueriesPatch.compactMap(name)
    case .initConnection(let first): names = first.desiredQueriesPatch.compactMap(name)
    default: names = []
    }
    guard !names.isEmpty else { return message.type }
    let more = names.count > keptNames ? ", \(names.count - keptNames) more" : ""
    return "\(message.type) of \(names.prefix(keptNames).joined(separator: ", "))\(more)"
  }

  private static func name(_ operation: DesiredQueryOp) -> String? {
    guard case .put(let query) = operation else { return nil }
    return query.name
  }
}
