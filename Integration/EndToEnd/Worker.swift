import Foundation
import IssueTracker
import IssueTrackerClient
import ZeroClient
import ZeroIVM
import ZeroProtocol

/// A client in a process of its own that does what it reads from standard input, line by line:
///
/// - `mutate N`: N random mutations on the issues of the run; answers `mutated N` and the IDs of the
///   rows it has made, when all are in the store
/// - `settle`: waits until nothing is pending; answers `settled`
/// - `dump`: answers `issues` and the issues of the run as JSON
/// - `quit`: closes
@MainActor public final class Worker {
  private let client: TestClient
  private let view: MaterializedView<[Issue]>
  private var random: SeedRandom
  private let name: String
  private var made = 0
  /// IDs of the rows that the last command has made.
  private var created: [String] = []

  /// - Parameter arguments: URL, user, token, storage, directory, name, seed.
  public static func main(_ arguments: [String]) async {
    do {
      guard arguments.count == 7, let storage = ClientStorage(rawValue: arguments[3]),
        let seed = UInt64(arguments[6])
      else { throw CheckFailure("worker needs URL, user, token, storage, directory, name, seed") }
      let worker = try Worker(
        url: arguments[0], userID: arguments[1], token: arguments[2], storage: storage,
        directory: arguments[4], name: arguments[5], seed: seed)
      say("ready")
      for await line in lines {
        guard try await worker.perform(line) else { break }
      }
    } catch {
      say("failed \(error)")
      exit(1)
    }
  }

  private init(
    url: String, userID: String, token: String, storage: ClientStorage, directory: String,
    name: String, seed: UInt64
  ) throws {
    client = try TestClient(
      url: url, userID: userID, token: token, storage: storage, directory: directory)
    view = try client.zero.materialize(
      TrackerQueries.issuesByProject(.init(projectId: "p2", limit: 100_000)))
    random = SeedRandom(seed)
    self.name = name
  }

  // MARK: -

  /// The lines of standard input, read on a thread of their own.
  private static var lines: AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    Thread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }.start()
    return stream
  }

  /// - Returns: whether to go on.
  private func perform(_ line: String) async throws -> Bool {
    let words = line.split(separator: " ")
    switch words.first {
    case "mutate": try await mutate(words.count > 1 ? Int(words[1]) ?? 1 : 1)
    case "settle":
      try await eventually("nothing is pending") { client.zero.pending.count == 0 }
      try await eventually("the query is complete") { view.resultType == .complete }
      Self.say("settled")
    case "dump": Self.say("issues \(dump.jsonString)")
    case "quit":
      try await client.close()
      Self.say("closed")
      return false
    default: throw CheckFailure("unknown command \(line)")
    }
    return true
  }

  private func mutate(_ count: Int) async throws {
    created = []
    let mutations = (0..<count).map { _ in client.zero.mutate(next()) }
    for mutation in mutations {
      let outcome = try await mutation.client.value
      try expect(outcome.isSuccess, "a mutation is accepted, not \(outcome)")
      try await mutation.persisted.value
    }
    Self.say((["mutated \(count)"] + created).joined(separator: " "))
  }

  /// Creates an issue, or renames, labels or closes one that is there.
  private func next() -> MutateRequest<TrackerSession> {
    made += 1
    let issues = view.data
    let kind = random.below(10)
    guard kind > 3, !issues.isEmpty else {
      return TrackerMutators.createIssue(
        .init(
          id: newID(), projectId: "p2",
          title: "by \(name)", creatorId: "u1", createdAt: Double(random.below(1_000_000))))
    }
    let id = issues[random.below(issues.count)].id
    switch kind {
    case 4...6:
      return TrackerMutators.rename(
        .init(id: id, title: "\(name) \(String(random.next(), radix: 36))"))
    case 7:
      return TrackerMutators.setStatus(
        .init(id: id, status: random.below(2) == 0 ? .open : .closed))
    case 8:
      return TrackerMutators.addComment(
        .init(
          id: newID(), issueId: id, authorId: "u2",
          body: "by \(name)", createdAt: Double(made)))
    default: return TrackerMutators.rename(.init(id: id, title: " "))
    }
  }

  private func newID() -> String {
    let id = "\(name)-\(String(random.next(), radix: 36))"
    created.append(id)
    return id
  }

  private var dump: JSONValue {
    .array(
      view.data.map { issue in
        .array([
          .string(issue.id), .string(issue.title), .string(issue.status.rawValue),
          .number(issue.createdAt),
        ])
      })
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
