import BenchKit
import CBenchPeers
import ZeroProtocol

/// `hash.bytes`: the 32-bit hash of short, middling and long bytes.
func benchmarkHashes(_ run: BenchRun, _ node: ExternalProgram?) throws {
  guard run.wants("hash.bytes") else { return }
  for size in [64, 4096, 1 << 20] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let times = (16 << 20) / size
    var peers = [
      Contender("C") {
        bytes.withUnsafeBufferPointer { bytes in
          for i in 0..<times {
            blackHole(bench_xxhash32(bytes.baseAddress, bytes.count, UInt32(i & 3)))
          }
        }
      }
    ]
    if let node { peers.append(node.contender("Node", "hash \(size) \(times)")) }
    try run.compare(
      "hash.bytes", size: size, unit: .gigabytesPerSecond(size * times),
      ours: Contender("ours") {
        bytes.withUnsafeBytes { bytes in
          for i in 0..<times { blackHole(xxHash32(bytes, seed: UInt32(i & 3))) }
        }
      }, peers: peers)
  }
}
