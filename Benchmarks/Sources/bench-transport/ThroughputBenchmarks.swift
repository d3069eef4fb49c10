import BenchKit
import CBenchSockets
import Foundation
import ZeroTransportCurl
import ZeroWebSocket

/// `ws.push`: the server sends as fast as it can.
func benchmarkPush(_ run: BenchRun, _ peers: Peers, port: UInt16) throws {
  for (size, count) in [(128, 100_000), (1024, 60_000), (16 << 10, 8000), (1 << 20, 150)] {
    try run.compare(
      "ws.push", size: size,
      unit: size < 16 << 10 ? .perSecond(count, "messages") : .megabytesPerSecond(size * count),
      ours: Contender(
        "ours",
        measured: {
          try SocketWork.run(
            "ws://127.0.0.1:\(port)/push", text: "\(size) \(count)", count: count, repeats: false
          ).seconds
        }),
      peers: peers.contenders("push \(port) \(size) \(count)"))
  }
}

/// `ws.tls`: as `ws.push`, encrypted, against a download with libcurl of as many bytes.
func benchmarkTLS(_ run: BenchRun, _ certificates: Certificates, port: UInt16) throws {
  var options = CurlTransportOptions()
  options.trust = .authorities(path: certificates.authority)
  for (size, count) in [(16 << 10, 6000), (1 << 20, 100)] {
    try run.compare(
      "ws.tls", size: size, unit: .megabytesPerSecond(size * count),
      ours: Contender(
        "ours",
        measured: {
          try SocketWork.run(
            "wss://localhost:\(port)/push", text: "\(size) \(count)", count: count, repeats: false,
            options: options
          ).seconds
        }),
      peers: [
        Contender("libcurl download") {
          let url = "https://localhost:\(port)/download?\(size * count)"
          guard bench_download(url, certificates.authority) == size * count else {
            throw BenchmarkFailure(message: "the download failed")
          }
        }
      ])
  }
}

/// `ws.mask`: what a client does to each byte it sends.
func benchmarkMask(_ run: BenchRun) throws {
  let size = 1 << 20
  let rounds = 200
  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
  defer { bytes.deallocate() }
  bytes.initializeMemory(as: UInt8.self, repeating: 7)
  try run.compare(
    "ws.mask", size: size, unit: .gigabytesPerSecond(size * rounds),
    ours: Contender("ours") {
      for round in 0..<rounds { FrameMask.apply(0x9E37_79B9, offset: round & 3, to: bytes) }
    },
    peers: [
      Contender("C word loop") {
        for _ in 0..<rounds {
          bench_mask(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size, 0x9E37_79B9)
        }
      }
    ])
}
