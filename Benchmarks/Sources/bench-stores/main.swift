import BenchKit

let run = BenchRun("Stores")
try StoreBenchmarks(run).execute()
try run.finish()
