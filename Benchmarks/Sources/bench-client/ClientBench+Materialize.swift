import BenchKit
@_spi(Engine) import ZeroClient
import ZeroIVM

extension ClientBench {
  /// I: views opened and destroyed one at a time over the whole data set.
  func materialize(_ client: BenchClient) throws {
    let queries: [(String, (Int) throws -> AnyQuery)] = [
      ("list", { try BenchQueries.list($0 % 5, 50) }), ("page", { _ in try BenchQueries.page() }),
      ("withComments", { try BenchQueries.withComments($0 % data.userCount) }),
      ("labeled", { try BenchQueries.labeled("name-\($0 % 20)") }),
      ("byID", { try BenchQueries.byID(7919 * $0 % size) }),
    ]
    for (name, query) in queries {
      var samples: [Double] = []
      for round in 0..<421 {
        let query = try query(round)
        samples.append(try measure { try client.open(query).destroy() })
        client.closeViews()
      }
      run.median(
        "materialize.\(name).first", size: size, [samples[0]], note: "builds the orders it needs")
      run.percentiles(
        "materialize.\(name)", size: size, Array(samples.dropFirst(21)), [50, 90, 99])
    }
  }
}
