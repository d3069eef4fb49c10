import BenchKit
import Foundation

let run = BenchRun("Protocol")
let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .appendingPathComponent("peers.mjs").path
let node = ExternalProgram("node", ["--max-old-space-size=8192", script])
if node == nil { print("Node is not installed: no figures of it") }
try benchmarkPokes(run, node)
try benchmarkPokeApply(run, node)
try benchmarkScan(run)
try benchmarkEncoding(run, node)
try benchmarkUTF8(run)
try benchmarkHashes(run, node)
try benchmarkQueries(run)
try run.finish()
