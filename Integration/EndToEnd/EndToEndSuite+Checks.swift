import IssueTracker
import IssueTrackerClient
import ZeroClient
import ZeroIVM
import ZeroProtocol

extension EndToEndSuite {
  /// All checks, in the order in which they run.
  public static let checks: [Check] = [
    check("connects and completes a query") { try await $0.completes() },
    check("an edit shows at once and is confirmed") { try await $0.confirms() },
    check("two clients of different users see each other's changes") { try await $0.exchanges() },
    check("related rows follow their changes") { try await $0.relates() },
    check("an exists query follows its subquery") { try await $0.exists() },
    check("a refused mutation is rolled back and reported") { try await $0.rollsBack() },
    check("a mutation that breaks a constraint is refused") { try await $0.violates() },
    check("a refused and an unknown query fail, others go on") { try await $0.refusesQueries() },
    check("private rows stay with their user") { try await $0.keepsPrivate() },
    check("writes made offline are sent on return") { try await $0.queuesOffline() },
    check("SQLite: a restart shows rows before the network") { try await $0.restarts(.sqlite) },
    check("LMDB: a restart shows rows before the network") { try await $0.restarts(.lmdb) },
    check("SQLite: pending mutations survive a restart") { try await $0.keepsPending(.sqlite) },
    check("LMDB: pending mutations survive a restart") { try await $0.keepsPending(.lmdb) },
    check("a wrong token asks for another") { try await $0.wrongToken() },
    check("a revoked token stops the client until there is another", needsControl: true) {
      try await $0.revokedToken()
    },
    check("mutate on one client to listener on the other") { try await $0.latency() },
    check("reconnects with nothing to do") { try await $0.reconnects() },
    check("the first sync of all visible issues") { try await $0.firstSync() },
  ]

  private static func check(
    _ name: String, needsControl: Bool = false,
    _ run: @escaping @MainActor (EndToEndSuite) async throws -> String?
  ) -> Check {
    Check(name: name, needsControl: needsControl, run: run)
  }

  // MARK: -

  private func createIssue(
    _ client: TestClient, title: String, isPrivate: Bool = false
  ) -> (id: String, mutation: Mutation) {
    let id = newID()
    let mutation = client.zero.mutate(
      TrackerMutators.createIssue(
        .init(
          id: id, projectId: setup.project, title: title, isPrivate: isPrivate,
          creatorId: client.zero.userID ?? "u1", createdAt: 4_000_000_000_000)))
    return (id, mutation)
  }

  private func succeeds(_ mutation: Mutation, _ what: String) async throws {
    let outcome = try await mutation.server.value
    try expect(outcome.isSuccess, "\(what) succeeds on the server, not \(outcome)")
  }

  /// Deletes what a check has made.
  private func cleanUp(_ client: TestClient, _ ids: String...) async throws {
    for id in ids {
      let mutation = client.zero.mutate(TrackerMutators.deleteIssue(.init(id: id)))
      try await succeeds(mutation, "deleting")
    }
  }

  private func completes() async throws -> String? {
    let client = try await client1()
    let start = ContinuousClock().now
    let view = try client.zero.materialize(
      TrackerQueries.issuesByProject(.init(projectId: setup.project, limit: 20)))
    try await eventually("the query is complete") { view.resultType == .complete }
    let took = ContinuousClock().now - start
    try expect(!view.data.isEmpty, "there are issues")
    try expect(view.data.allSatisfy { $0.creator != nil }, "every issue has its creator")
    try await client.close()
    return "\(milliseconds(took))"
  }

  private func confirms() async throws -> String? {
    let client = try await client1()
    let (id, created) = createIssue(client, title: "made")
    let view = try client.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    try expect(view.data?.title == "made", "the new issue shows at once")
    try await succeeds(created, "creating")
    try await eventually("the query is complete") { view.resultType == .complete }
    let rename = client.zero.mutate(TrackerMutators.rename(.init(id: id, title: "renamed")))
    try expect(view.data?.title == "renamed", "the new title shows at once")
    let status = client.zero.mutate(
      TrackerMutators.setStatus(.init(id: id, status: .closed, closedAt: 1)))
    try await succeeds(rename, "renaming")
    try await succeeds(status, "closing")
    try expect(
      view.data?.title == "renamed" && view.data?.status == .closed, "the rows say the same")
    try expect(client.zero.pending.count == 0, "nothing is pending")
    try await cleanUp(client, id)
    try expect(view.data == nil, "a deleted issue is gone")
    try await client.close()
    return nil
  }

  private func exchanges() async throws -> String? {
    let (first, second) = (try await client1(), try await client2())
    let (id, created) = createIssue(first, title: "from the first")
    try await succeeds(created, "creating")
    let view1 = try first.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    let view2 = try second.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    try await second.wait(view2, "the second sees the issue") { $0?.title == "from the first" }
    let rename = second.zero.mutate(
      TrackerMutators.rename(.init(id: id, title: "from the second")))
    try await succeeds(rename, "renaming")
    try await first.wait(view1, "the first sees the new title") {
      $0?.title == "from the second"
    }
    try await cleanUp(first, id)
    try await second.wait(view2, "the second sees that it is gone") { $0 == nil }
    try await first.close()
    try await second.close()
    return nil
  }

  private func relates() async throws -> String? {
    let (first, second) = (try await client1(), try await client2())
    let (id, created) = createIssue(first, title: "with comments")
    let view = try second.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    try await succeeds(created, "creating")
    for number in 1...3 {
      let comment = first.zero.mutate(
        TrackerMutators.addComment(
          .init(
            id: newUUID(), issueId: id, authorId: "u1", body: "comment \(number)",
            createdAt: Double(number))))
      try await succeeds(comment, "commenting")
    }
    try await second.wait(view, "the comments are there in order, with their author") { issue in
      issue?.comments?.map(\.body) == (1...3).map { "comment \($0)" }
        && issue?.comments?.allSatisfy { $0.author?.id == "u1" } == true
    }
    try await cleanUp(first, id)
    try await first.close()
    try await second.close()
    return nil
  }

  private func exists() async throws -> String? {
    let client = try await client1()
    let view = try client.zero.materialize(TrackerQueries.issuesWithComments())
    let (id, created) = createIssue(client, title: "no comment yet")
    try await succeeds(created, "creating")
    try await eventually("the query is complete") { view.resultType == .complete }
    try expect(!view.data.contains { $0.id == id }, "it is not among the commented ones")
    let comment = client.zero.mutate(
      TrackerMutators.addComment(
        .init(id: newUUID(), issueId: id, authorId: "u1", body: "x", createdAt: 1)))
    try await succeeds(comment, "commenting")
    try await client.wait(view, "it is among the commented ones") { issues in
      issues.contains { $0.id == id }
    }
    try await cleanUp(client, id)
    try await client.wait(view, "it is gone") { issues in !issues.contains { $0.id == id } }
    try await client.close()
    return nil
  }

  private func rollsBack() async throws -> String? {
    let client = try await client1()
    let (id, created) = createIssue(client, title: "stays")
    let view = try client.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    try await succeeds(created, "creating")
    try await eventually("the query is complete") { view.resultType == .complete }
    let rename = client.zero.mutate(TrackerMutators.rename(.init(id: id, title: " ")))
    try expect(view.data?.title == " ", "the prediction shows")
    guard case .applicationError(let error) = try await rename.server.value else {
      throw CheckFailure("the server refuses an empty title")
    }
    try expect(error.message == "title must not be empty", "the server's words arrive: \(error)")
    try expect(error.details != nil, "the details arrive")
    try await client.wait(view, "the prediction is gone") { $0?.title == "stays" }
    try expect(
      client.zero.refusedMutations.mutations.contains { $0.name == "issue.rename" },
      "it is on the list of refused mutations")
    client.zero.refusedMutations.acknowledgeAll()
    try await cleanUp(client, id)
    try await client.close()
    return nil
  }

  private func violates() async throws -> String? {
    let client = try await client1()
    let comment = client.zero.mutate(
      TrackerMutators.addComment(
        .init(id: newUUID(), issueId: newID(), authorId: "u1", body: "x", createdAt: 1)))
    guard case .applicationError = try await comment.server.value else {
      throw CheckFailure("the server refuses a comment on no issue")
    }
    try await client.close()
    return nil
  }

  private func refusesQueries() async throws -> String? {
    let client = try await client1()
    let forbidden = try client.zero.materialize(TrackerQueries.forbidden())
    let labels = try client.zero.materialize(TrackerQueries.labels())
    try await eventually("the refused query fails") { forbidden.resultType == .error }
    try await eventually("the other query completes") { labels.resultType == .complete }
    try expect("\(forbidden.error as Any)".contains("not allowed"), "the reason arrives")
    try expect(client.zero.connection.state == .connected, "the connection stays")
    try await client.close()
    return nil
  }

  private func keepsPrivate() async throws -> String? {
    let (first, second) = (try await client1(), try await client2())
    let mine = try first.zero.materialize(TrackerQueries.visibleIssues())
    let theirs = try second.zero.materialize(TrackerQueries.visibleIssues())
    for view in [mine, theirs] {
      try await eventually("the query is complete") { view.resultType == .complete }
    }
    let (id, created) = createIssue(first, title: "secret", isPrivate: true)
    try await succeeds(created, "creating")
    let (marker, made) = createIssue(first, title: "public")
    try await succeeds(made, "creating")
    try await second.wait(theirs, "the public issue arrives") { issues in
      issues.contains { $0.id == marker }
    }
    try expect(mine.data.contains { $0.id == id }, "its user sees it")
    try expect(!theirs.data.contains { $0.id == id }, "the other user does not")
    try await cleanUp(first, id, marker)
    try await first.close()
    try await second.close()
    return nil
  }

  private func queuesOffline() async throws -> String? {
    let client = try await client1(storage: .sqlite)
    let (id, created) = createIssue(client, title: "before")
    let view = try client.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    try await succeeds(created, "creating")
    try await eventually("the query is complete") { view.resultType == .complete }
    client.network.isOn = false
    try await eventually("the client notices") { client.zero.connection.state != .connected }
    var mutations: [Mutation] = []
    for number in 1...5 {
      mutations.append(
        client.zero.mutate(TrackerMutators.rename(.init(id: id, title: "offline \(number)"))))
    }
    try expect(view.data?.title == "offline 5", "the edits show")
    try expect(client.zero.pending.count == 5, "five mutations wait")
    client.network.isOn = true
    client.zero.connection.networkBecameAvailable()
    for mutation in mutations { try await succeeds(mutation, "an offline edit") }
    try expect(view.data?.title == "offline 5", "the last one wins")
    try await cleanUp(client, id)
    try await client.close()
    return nil
  }

  private func restarts(_ storage: ClientStorage) async throws -> String? {
    let key = newID()
    let first = try await client1(storage: storage, key: key)
    let (id, created) = createIssue(first, title: "on disk")
    let view = try first.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    try await succeeds(created, "creating")
    try await eventually("the query is complete") { view.resultType == .complete }
    try await first.close()
    let start = ContinuousClock().now
    let second = try await client1(storage: storage, key: key, isOnline: false)
    let again = try second.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    try await second.wait(again, "the issue shows without a network") { $0?.title == "on disk" }
    let took = ContinuousClock().now - start
    second.network.isOn = true
    second.zero.connection.networkBecameAvailable()
    try await eventually("the query is complete again") { again.resultType == .complete }
    try await cleanUp(second, id)
    try await second.close()
    return "\(milliseconds(took))"
  }

  private func keepsPending(_ storage: ClientStorage) async throws -> String? {
    let key = newID()
    let first = try await client1(storage: storage, key: key)
    let (id, created) = createIssue(first, title: "before")
    let view = try first.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    try await succeeds(created, "creating")
    try await eventually("the query is complete") { view.resultType == .complete }
    first.network.isOn = false
    let rename = first.zero.mutate(TrackerMutators.rename(.init(id: id, title: "pending")))
    try await rename.persisted.value
    try await first.close()
    let second = try await client1(storage: storage, key: key, isOnline: false)
    let again = try second.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    try await second.wait(again, "the edit shows without a network") { $0?.title == "pending" }
    second.network.isOn = true
    second.zero.connection.networkBecameAvailable()
    let other = try await client2()
    let theirs = try other.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    try await other.wait(theirs, "the edit reaches another client") { $0?.title == "pending" }
    try await cleanUp(other, id)
    try await second.close()
    try await other.close()
    return nil
  }

  private func wrongToken() async throws -> String? {
    let client = try await client1(token: "wrong")
    let view = try client.zero.materialize(TrackerQueries.labels())
    try await client.wait(for: .needsAuth)
    client.zero.connection.connect(auth: setup.token1)
    try await client.wait(for: .connected)
    try await eventually("the query completes") { view.resultType == .complete }
    try await client.close()
    return nil
  }

  private func revokedToken() async throws -> String? {
    let client = try await client1(token: setup.renewedToken1)
    let (id, created) = createIssue(client, title: "before")
    try await succeeds(created, "creating")
    try await control(["do": "revokeToken", "token": setup.renewedToken1])
    let rename = client.zero.mutate(TrackerMutators.rename(.init(id: id, title: "after")))
    try await client.wait(for: .needsAuth)
    try await control(["do": "restoreToken", "token": setup.renewedToken1])
    client.zero.connection.connect(auth: setup.token1)
    try await succeeds(rename, "renaming")
    try await cleanUp(client, id)
    try await client.close()
    return nil
  }

  private func latency() async throws -> String? {
    let (first, second) = (try await client1(), try await client2())
    let (id, created) = createIssue(first, title: "0")
    try await succeeds(created, "creating")
    let view = try second.zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    try await eventually("the query is complete") { view.resultType == .complete }
    let clock = ContinuousClock()
    var times: [Duration] = []
    for number in 1...200 {
      let title = "\(number)"
      let start = clock.now
      let seen = Arrival()
      let subscription = view.addListener { if $0.data?.title == title { seen.arrived() } }
      first.zero.mutate(TrackerMutators.rename(.init(id: id, title: title)))
      await seen.wait()
      times.append(clock.now - start)
      subscription.cancel()
    }
    times.sort()
    try await cleanUp(first, id)
    try await first.close()
    try await second.close()
    return "p50 \(milliseconds(times[100])), p99 \(milliseconds(times[197]))"
  }

  private func reconnects() async throws -> String? {
    let client = try await client1()
    let view = try client.zero.materialize(
      TrackerQueries.issuesByProject(.init(projectId: setup.project)))
    try await eventually("the query is complete") { view.resultType == .complete }
    let start = ContinuousClock().now
    client.network.cut()
    try await eventually("the client notices") { client.zero.connection.state != .connected }
    try await client.wait(for: .connected)
    let took = ContinuousClock().now - start
    try await client.close()
    return "\(milliseconds(took))"
  }

  private func firstSync() async throws -> String? {
    let client = try await client1()
    let start = ContinuousClock().now
    let view = try client.zero.materialize(TrackerQueries.visibleIssues())
    try await eventually("the query is complete") { view.resultType == .complete }
    let took = ContinuousClock().now - start
    let count = client.zero.diagnostics().rowCounts["issue"] ?? 0
    try await client.close()
    return "\(count) rows in \(milliseconds(took))"
  }

  private func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let value = Double(seconds) * 1000 + Double(attoseconds) / 1e15
    return "\((value * 10).rounded() / 10) ms"
  }
}

/// Something that happens once and is waited for.
@MainActor private final class Arrival {
  private var hasArrived = false
  private var continuation: CheckedContinuation<Void, Never>?

  func arrived() {
    hasArrived = true
    continuation?.resume()
    continuation = nil
  }

  func wait() async {
    guard !hasArrived else { return }
    await withCheckedContinuation { continuation = $0 }
  }
}
