/// The last messages sent on a connection, to say which one was too big when the server says so.
///
/// Of messages that carry a token or the headers of the app's endpoints only the size is kept.
struct SentMessages {
  private var latest: [(type: String, length: Int, beginning: String)] = []
  private static let keptCount = 5
  private static let keptLength = 200
  private static let secretTypes: Set = ["updateAuth", "initConnection"]

  mutating func note(_ type: String, _ text: [UInt8]) {
    guard type != "ping" else { return }
    let kept = Self.secretTypes.contains(type) ? 0 : Self.keptLength
    let beginning = String(decoding: text.prefix(kept * 4), as: UTF8.self).utf16.prefix(kept)
    latest.append((type, text.count, String(decoding: Array(beginning), as: UTF16.self)))
    if latest.count > Self.keptCount { latest.removeFirst() }
  }

  /// What to add to the message about a close with code 1009.
  var report: String {
    guard !latest.isEmpty else { return "" }
    let lines = latest.map { "\($0.type) (\($0.length) bytes): \($0.beginning)" }
    return "\nRecent sent messages:\n" + lines.joined(separator: "\n")
  }
}
