import BenchKit
import Foundation

// bench-client [filter ...] [--max N] [--json FILE]: N issues at most, 100,000 unless given.
@main @MainActor struct BenchCommand {
  static func main() async {
    do {
      if CommandLine.arguments.dropFirst().first == ChildRun.argument {
        try await child(Array(CommandLine.arguments.dropFirst(2)))
      } else {
        try await suite()
      }
    } catch {
      FileHandle.standardError.write(Data("bench-client: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func suite() async throws {
    let run = BenchRun("Client")
    print(
      """
      Recorded figures are the reference's in Node, of another day and a machine of this kind. A ratio
      to one is given twice: as it is, and / as it would be had the reference run on this machine.
      Where nothing else is said, storing and the decoding of large pokes, which an app's client leaves
      to a queue in the background, run on the calling thread; times to a listener end before storing.

      """)
    let size = run.sizes([1000, 10_000, 100_000]).last ?? 1000
    let bench = ClientBench(run: run, data: IssueData(issueCount: size))
    try bench.checkData()
    try bench.wire()
    try bench.initial()
    for views in [10, 100] { try bench.live(views) }
    try bench.start()
    try bench.memory()
    try bench.rebaseCurve()
    try bench.mutateLocal()
    try bench.durable()
    try await bench.coldStart()
    try bench.refused()
    try bench.changeCurves()
    try await bench.pokeToView()
    try await bench.throughput()
    try await bench.idle()
    try bench.churn()
    try run.finish()
  }

  /// The part of a workload that has a process of its own.
  private static func child(_ arguments: [String]) async throws {
    let size = arguments.dropFirst().first.flatMap { Int($0) } ?? 0
    let data = IssueData(issueCount: size)
    switch (arguments.first, arguments.dropFirst(2).first) {
    case ("initial", let views?): try ClientBench.initialChild(data, views: Int(views) ?? 0)
    case ("memory", let variant?): try MemoryVariant.child(variant, data)
    case ("fileOpen", let folder?): try ClientBench.fileOpenChild(folder)
    case ("server", _): try await BenchServer.child(data)
    default: throw BenchFailure("there is no child \(arguments)")
    }
  }
}
