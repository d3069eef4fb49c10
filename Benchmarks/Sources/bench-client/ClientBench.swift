import BenchKit
import ZeroProtocol
import ZeroStoreMemory

/// The workloads of a whole client.
@MainActor struct ClientBench {
  let run: BenchRun
  let data: IssueData
  let rows: PreparedRows

  var size: Int { data.issueCount }

  init(run: BenchRun, data: IssueData) {
    self.run = run
    self.data = data
    rows = PreparedRows(data)
  }

  /// Whether any figure under one of these names was asked for.
  func wants(_ names: String...) -> Bool { names.contains { run.wantsGroup($0) } }

  /// Makes sure that the data set is that of the recorded figures.
  func checkData() throws {
    guard wants("data") else { return }
    for count in [1000, size] {
      guard let known = IssueData.knownChecksums[count] else { continue }
      let checksum = count == size ? data.checksum : IssueData(issueCount: count).checksum
      guard checksum == known else {
        throw BenchFailure("the data set of \(count) issues is another one than the reference's")
      }
      run.figure(
        "data", size: count, Double(count), "issues",
        note: "CRC-32 \(String(checksum, radix: 16)), as the reference's")
    }
  }

  /// A client with the rows of a poke, in memory.
  func client(with puts: [[UInt8]], views: Int) throws -> BenchClient {
    let client = try BenchClient(MemoryStoreProvider())
    client.connect()
    client.deliver(client.poke(puts))
    try client.openMix(views, data)
    client.deliver(client.poke([], gotQueries: true))
    return client
  }
}
