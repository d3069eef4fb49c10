import Foundation
import ReplayServer

// zero-replay TRANSCRIPT [PORT]: plays a transcript until it is stopped.

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first, arguments.count <= 2 else {
  FileHandle.standardError.write(Data("usage: zero-replay TRANSCRIPT [PORT]\n".utf8))
  exit(2)
}
do {
  let transcript = try Transcript(contentsOf: path)
  let port = arguments.count > 1 ? UInt16(arguments[arguments.startIndex + 1]) ?? 0 : 0
  let server = try ReplayServer(transcript, port: port)
  print("\(transcript.name): \(transcript.connections.count) connections, at \(server.origin)")
  print(transcript.summary)
  withExtendedLifetime(server) { dispatchMain() }
} catch {
  FileHandle.standardError.write(Data("zero-replay: \(error)\n".utf8))
  exit(1)
}
