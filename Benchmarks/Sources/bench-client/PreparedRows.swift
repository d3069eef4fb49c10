/// Row operations that several workloads send, made once.
@MainActor final class PreparedRows {
  private let data: IssueData

  init(_ data: IssueData) { self.data = data }

  private(set) lazy var issues = data.issuePuts()
  private(set) lazy var everything = data.allPuts()
}
