import ZeroClient
import ZeroIVM
import ZeroProtocol

struct NewIssue: Codable, Sendable { var id: String, title: String }

enum IssueQueries {
  static let popular = defineQuery("issues.popular") { (_: Session) in
    zql.issue.where { $0.votes > 0 }.orderBy(\.votes, .desc).limit(50)
  }
}

enum IssueMutators {
  static let report = defineMutator("issue.report") { (tx, new: NewIssue, session: Session) in
    try tx.mutate.issue.insert(
      Ticket(id: new.id, title: new.title, votes: 1, owner: session.user))
  }
  static let rename = defineMutator("issue.rename") { (tx, args: Rename, _: Session) in
    try tx.mutate.issue.update(id: args.id) { $0.title = args.title }
  }
}

@MainActor final class Issues {
  let zero: Zero<Session>
  let popular: LiveQuery<[Ticket]>  // observable: `popular.data`, `popular.resultType`

  init(_ session: Session, _ options: ZeroOptions) throws {
    zero = try Zero(
      schema: .tracker, userID: session.user, context: session,
      mutators: [IssueMutators.report, IssueMutators.rename], options: options)
    popular = try zero.liveQuery(IssueQueries.popular())
  }

  func rename(_ id: String, to title: String) {
    zero.mutate(IssueMutators.rename(Rename(id: id, title: title)))
  }
}
