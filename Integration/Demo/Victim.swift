import EndToEnd
import Foundation
import IssueTracker
import IssueTrackerClient
import ZeroClient
import ZeroIVM

/// The process that is killed: it syncs, loses the network, writes, and waits for its end.
@MainActor enum Victim {
  static let title = "Written just before the kill"

  /// - Parameter arguments: URL and folder.
  static func main(_ arguments: [String]) async throws {
    guard arguments.count == 2 else { throw CheckFailure("victim needs a URL and a folder") }
    let client = try TestClient(
      url: arguments[0], userID: "u1", token: "token-u1", storage: .sqlite,
      directory: arguments[1])
    let list = try client.zero.materialize(
      TrackerQueries.issuesByProject(.init(projectId: "p2", limit: 20)))
    try await eventually("the list is complete") { list.resultType == .complete }
    guard let issue = list.data.first else { throw CheckFailure("there is no issue") }
    let detail = try client.zero.materialize(TrackerQueries.issueDetail(.init(id: issue.id)))
    try await eventually("the issue is complete") { detail.resultType == .complete }
    client.network.isOn = false
    let rename = client.zero.mutate(
      TrackerMutators.rename(.init(id: issue.id, title: title)))
    try await rename.persisted.value
    FileHandle.standardOutput.write(Data("written \(issue.id)\n".utf8))
    try await Task.sleep(for: .seconds(60))
  }
}
