import Convergence
import EndToEnd
import Foundation
import IssueTracker
import IssueTrackerClient
import ZeroClient
import ZeroIVM
import ZeroProtocol

/// The story that `scripts/demo` tells: a server, two clients, and what happens between them.
@MainActor final class Demo {
  private let executables: String
  private let directory: String
  private let say = Narrator()
  private var server: ChildProcess
  private let port: String

  private typealias IssueList = MaterializedView<[Issue]>

  /// Starts the development server.
  init(executables: String, directory: String, issues: Int) async throws {
    self.executables = executables
    self.directory = directory
    say.chapter("A development server with \(issues) issues")
    let start = ContinuousClock().now
    server = try ChildProcess(
      "\(executables)/zero-dev-server",
      ["--port", "0", "--issues", "\(issues)", "--data", "\(directory)/server"])
    let line = try await server.line()
    guard let port = line.split(separator: ":").last, UInt16(port) != nil else {
      throw CheckFailure("the server says \"\(line)\" instead of where it listens")
    }
    self.port = String(port)
    say.line("listens on port \(port)", since: start)
  }

  func run() async throws {
    let (ada, björn) = try await connect()
    try await edit(ada, björn)
    try await refuse(ada)
    try await goOffline(ada, björn)
    try await killProcess(björn)
    try await restartServer(ada, björn)
    try await ada.client.close()
    try await björn.client.close()
    try await server.kill()
  }

  // MARK: -

  /// A client with the list that it shows.
  private struct Person {
    let name: String
    let client: TestClient
    let list: IssueList
  }

  private func connect() async throws -> (Person, Person) {
    say.chapter("Two clients connect: Ada keeps her rows in SQLite, Björn in LMDB")
    let ada = try await open("Ada", user: "u1", .sqlite)
    let björn = try await open("Björn", user: "u2", .lmdb)
    for issue in ada.list.data.prefix(3) {
      say.line(
        "  \(issue.id)  \(issue.title)  [\(issue.status.rawValue)]  by \(issue.creator?.name ?? "?")"
      )
    }
    return (ada, björn)
  }

  private func edit(_ ada: Person, _ björn: Person) async throws {
    say.chapter("Ada edits; her screen does not wait for the server")
    let issue = try first(ada)
    let title = "Ship the demo"
    let start = ContinuousClock().now
    let rename = ada.client.zero.mutate(
      TrackerMutators.rename(.init(id: issue.id, title: title)))
    try expect(self.title(of: issue.id, ada) == title, "Ada sees her edit at once")
    say.line("Ada sees \"\(title)\"", since: start)
    try await björn.client.wait(björn.list, "Björn sees it") { issues in
      issues.contains { $0.id == issue.id && $0.title == title }
    }
    say.line("Björn sees it", since: start)
    try expect(try await rename.server.value.isSuccess, "the server confirms it")
    say.line("the server has confirmed it to Ada", since: start)
  }

  private func refuse(_ ada: Person) async throws {
    say.chapter("The server refuses an edit, and Ada's screen goes back")
    let issue = try first(ada)
    let start = ContinuousClock().now
    let rename = ada.client.zero.mutate(TrackerMutators.rename(.init(id: issue.id, title: " ")))
    try expect(title(of: issue.id, ada) == " ", "the empty title shows")
    say.line("Ada sees the empty title", since: start)
    guard case .applicationError(let error) = try await rename.server.value else {
      throw CheckFailure("the server refuses an empty title")
    }
    try await ada.client.wait(ada.list, "the title is back") { issues in
      issues.contains { $0.id == issue.id && $0.title == issue.title }
    }
    say.line("refused with \"\(error.message)\"; Ada sees \"\(issue.title)\" again", since: start)
    ada.client.zero.refusedMutations.acknowledgeAll()
  }

  private func goOffline(_ ada: Person, _ björn: Person) async throws {
    say.chapter("Ada loses the network and goes on working")
    ada.client.network.isOn = false
    try await eventually("Ada's client notices") { ada.client.zero.connection.state != .connected }
    let issues = ada.list.data.prefix(3)
    for issue in issues {
      ada.client.zero.mutate(
        TrackerMutators.rename(.init(id: issue.id, title: "Offline: \(issue.id)")))
    }
    try expect(
      issues.allSatisfy { title(of: $0.id, ada) == "Offline: \($0.id)" }, "Ada sees her edits")
    say.line("Ada has made \(ada.client.zero.pending.count) edits; Björn sees none of them")
    try expect(
      issues.allSatisfy { title(of: $0.id, björn) != "Offline: \($0.id)" }, "Björn sees none")
    // The attempt that is under way fails first.
    try await Task.sleep(for: .milliseconds(50))
    let start = ContinuousClock().now
    ada.client.network.isOn = true
    ada.client.zero.connection.networkBecameAvailable()
    try await björn.client.wait(björn.list, "Björn sees all of them") { [self] _ in
      issues.allSatisfy { title(of: $0.id, björn) == "Offline: \($0.id)" }
    }
    say.line("the network is back: Björn sees all of them", since: start)
    try await eventually("nothing is pending") { ada.client.zero.pending.count == 0 }
  }

  private func killProcess(_ björn: Person) async throws {
    say.chapter("A third client writes offline in a process of its own, which is killed")
    let child = try ChildProcess(
      "\(executables)/demo", ["victim", url, "\(directory)/victim"])
    let line = try await child.line()
    guard line.hasPrefix("written ") else { throw CheckFailure("the process says \"\(line)\"") }
    let id = String(line.dropFirst("written ".count))
    try await child.kill()
    say.line("it renamed \(id) and was killed by SIGKILL")
    let start = ContinuousClock().now
    let client = try TestClient(
      url: url, userID: "u1", token: "token-u1", storage: .sqlite,
      directory: "\(directory)/victim", isOnline: false)
    let view = try client.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    try await client.wait(view, "the edit is on disk") { $0?.title == Victim.title }
    say.line("a new process has its data and the edit from disk, before any network", since: start)
    try await Task.sleep(for: .milliseconds(50))
    let online = ContinuousClock().now
    client.network.isOn = true
    client.zero.connection.networkBecameAvailable()
    let theirs = try björn.client.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    try await björn.client.wait(theirs, "Björn sees the edit") { $0?.title == Victim.title }
    say.line("with the network, the edit reaches Björn", since: online)
    try await client.close()
  }

  private func restartServer(_ ada: Person, _ björn: Person) async throws {
    say.chapter("The server is killed and started again")
    try await server.kill()
    let issue = try first(ada)
    try await eventually("Ada's client notices") { ada.client.zero.connection.state != .connected }
    ada.client.zero.mutate(
      TrackerMutators.setStatus(.init(id: issue.id, status: .closed, closedAt: 1)))
    let start = ContinuousClock().now
    server = try ChildProcess(
      "\(executables)/zero-dev-server", ["--port", port, "--data", "\(directory)/server"])
    _ = try await server.line()
    for person in [ada, björn] { person.client.zero.connection.networkBecameAvailable() }
    try await björn.client.wait(björn.list, "Björn sees what Ada did meanwhile") { issues in
      issues.contains { $0.id == issue.id && $0.status == .closed }
    }
    say.line("both are back, and Björn sees what Ada did meanwhile", since: start)
    try await eventually("both show the same") {
      ada.list.data.map(\.title) == björn.list.data.map(\.title)
        && ada.list.data.map(\.status) == björn.list.data.map(\.status)
    }
    say.line("both show the same \(ada.list.data.count) issues")
  }

  private var url: String { "http://127.0.0.1:\(port)" }

  private func open(_ name: String, user: String, _ storage: ClientStorage) async throws -> Person {
    let start = ContinuousClock().now
    let client = try TestClient(
      url: url, userID: user, token: "token-\(user)", storage: storage,
      directory: "\(directory)/\(name)")
    _ = try await client.zero.clientGroupID.value
    let list = try client.zero.materialize(
      TrackerQueries.issuesByProject(.init(projectId: "p1", limit: 200)))
    try await eventually("\(name)'s list is complete") { list.resultType == .complete }
    try expect(!list.data.isEmpty, "\(name) has issues")
    say.line("\(name) has \(list.data.count) issues with creators and labels", since: start)
    return Person(name: name, client: client, list: list)
  }

  private func first(_ person: Person) throws -> Issue {
    guard let issue = person.list.data.first else {
      throw CheckFailure("\(person.name) has no issue")
    }
    return issue
  }

  private func title(of id: String, _ person: Person) -> String? {
    person.list.data.first { $0.id == id }?.title
  }
}

/// Prints the story.
@MainActor struct Narrator {
  func chapter(_ title: String) { write("\n\(title)\n") }

  func line(_ text: String, since start: ContinuousClock.Instant? = nil) {
    guard let start else { return write("    \(text)\n") }
    let (seconds, attoseconds) = (ContinuousClock().now - start).components
    let time = Double(seconds) * 1000 + Double(attoseconds) / 1e15
    write("    \(text)  (\((time * 10).rounded() / 10) ms)\n")
  }

  private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
