import BenchKit
import CBenchSockets
import Foundation

/// `ws.echo`: one message there and back at a time. The time of a round is that of its median round
/// trip, which a busy machine disturbs least.
func benchmarkEcho(_ run: BenchRun, _ peers: Peers, _ server: ServerProcess) throws {
  let count = 3000
  for size in [128, 4096] {
    var ours: [Double] = []
    var bare: [Double] = []
    try run.compare(
      "ws.echo", size: size, unit: .microseconds(per: count, "echo"),
      ours: Contender(
        "ours",
        measured: {
          let outcome = try SocketWork.run(
            "ws://127.0.0.1:\(server.port)/echo", text: String(repeating: "x", count: size),
            count: count,
            repeats: true)
          ours = outcome.latencies
          return Spread.percentile(ours, 0.5) * Double(count) / 1e6
        }),
      peers: [
        Contender(
          "bare TCP in C",
          measured: {
            bare = [Double](repeating: 0, count: count)
            guard bench_raw_echo(server.rawPort, size, count, &bare) == 0 else {
              throw BenchmarkFailure(message: "the bare echo failed")
            }
            return Spread.percentile(bare, 0.5) * Double(count) / 1e6
          })
      ] + peers.contenders("echo \(server.port) \(size) \(count)"))
    for (name, latencies) in [("ours", ours), ("bare TCP in C", bare)] where !latencies.isEmpty {
      for part in [0.5, 0.99] {
        run.figure(
          "ws.echo.p\(Int(part * 100))", size: size, contender: name,
          Spread.percentile(latencies, part), "µs")
      }
    }
  }
}

struct BenchmarkFailure: Error { let message: String }
