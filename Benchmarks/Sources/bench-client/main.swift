import BenchKit
import Foundation

// bench-client [filter ...] [--max N] [--json FILE]: N issues at most, 100,000 unless given.
let run = BenchRun("Client")
let size = run.sizes([1000, 10_000, 100_000]).last ?? 1000
try MainActor.assumeIsolated {
  let bench = ClientBench(run: run, data: IssueData(issueCount: size))
  try bench.coldStart()
  for views in [10, 100] {
    try bench.initial(views)
    try bench.live(views)
  }
}
try run.finish()
