import BenchKit
import CBenchSockets
import Foundation

if CommandLine.arguments.dropFirst().first == ServerProcess.argument {
  ServerProcess.serve(certificate: CommandLine.arguments[2], key: CommandLine.arguments[3])
  exit(0)
}

/// Measures from a thread of its own: the main one belongs to the main actor, where sockets report.
func measure() throws {
  bench_raise_descriptor_limit()
  let run = BenchRun("Transport")
  let certificates = try Certificates()
  defer { certificates.remove() }
  let server = try ServerProcess(certificates)
  // First, because the end of a thousand connections goes on in the background and takes memory.
  try benchmarkMemory(run, port: server.port)
  try benchmarkIdle(run, port: server.port)
  let peers = Peers()
  try benchmarkEcho(run, peers, server)
  try benchmarkPush(run, peers, port: server.port)
  try benchmarkTLS(run, certificates, port: server.tlsPort)
  try benchmarkMask(run)
  try run.finish()
}

Thread.detachNewThread {
  do {
    try measure()
    exit(0)
  } catch {
    FileHandle.standardError.write(Data("bench-transport: \(error)\n".utf8))
    exit(1)
  }
}
dispatchMain()
