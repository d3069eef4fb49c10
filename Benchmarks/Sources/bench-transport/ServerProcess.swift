import CBenchSockets
import Foundation

/// The servers of the benchmarks, in a process of their own, so that memory and CPU are ours alone.
final class ServerProcess {
  /// WebSocket and download, plain.
  let port: UInt16
  /// The same with TLS.
  let tlsPort: UInt16
  /// Bare TCP.
  let rawPort: UInt16
  private let process = Process()
  private let input = Pipe()

  static let argument = "--serve"

  init(_ certificates: Certificates) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [Self.argument, certificates.certificate, certificates.key]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let ports = line.split(whereSeparator: \.isWhitespace).compactMap { UInt16($0) }
    guard ports.count == 3, !ports.contains(0) else {
      throw BenchmarkFailure(message: "the servers did not start")
    }
    (port, tlsPort, rawPort) = (ports[0], ports[1], ports[2])
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Serves until standard input ends.
  static func serve(certificate: String, key: String) {
    bench_raise_descriptor_limit()
    print(
      bench_start_server(nil, nil), bench_start_server(certificate, key), bench_start_raw_echo())
    fflush(nil)
    while readLine() != nil {}
  }
}

/// Certificates made for this run.
struct Certificates {
  let authority: String
  let certificate: String
  let key: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("bench-transport-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let script = URL(fileURLWithPath: #filePath).appendingPathComponent(
      "../../../../Packages/ZeroTransportCurl/Tests/Support/make-certificates"
    ).standardized
    let process = try Process.run(script, arguments: [folder.path])
    process.waitUntilExit()
    authority = folder.path + "/ca.pem"
    certificate = folder.path + "/server.pem"
    key = folder.path + "/server.key"
  }

  func remove() {
    let folder = URL(fileURLWithPath: authority).deletingLastPathComponent()
    try? FileManager.default.removeItem(at: folder)
  }
}
