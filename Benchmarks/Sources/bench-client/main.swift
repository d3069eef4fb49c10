import BenchKit
import Foundation

// bench-client [filter ...] [--max N] [--json FILE]: N issues at most, 100,000 unless given.
let run = BenchRun("Client")
let sizes = run.sizes([1000, 10_000, 100_000])
let size = sizes.last ?? 1000
try MainActor.assumeIsolated {
  let bench = ClientBench(run: run, data: IssueData(issueCount: size))
  for size in sizes.dropLast() {
    try ClientBench(run: run, data: IssueData(issueCount: size)).coldStart()
  }
  try bench.coldStart()
  try bench.durable()
  try bench.refused()
  try bench.idle()
  try bench.churn()
  try bench.memory()
  for views in [10, 100] {
    try bench.initial(views)
    try bench.live(views)
  }
}
try run.finish()
