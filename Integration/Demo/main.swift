import Foundation
import ReplayServer

// demo TRANSCRIPT: starts a replay server, connects to it as a client and tells what arrives.

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: demo TRANSCRIPT\n".utf8))
  exit(2)
}
do {
  let transcript = try Transcript(contentsOf: CommandLine.arguments[1])
  let server = try ReplayServer(transcript)
  print("A server on port \(server.port) plays '\(transcript.name)', recorded from zero-cache.\n")
  let demo = Demo(transcript, origin: server.origin)
  let isComplete = await demo.run()
  for deviation in server.deviations { print(deviation) }
  exit(isComplete && server.deviations.isEmpty ? 0 : 1)
} catch {
  FileHandle.standardError.write(Data("demo: \(error)\n".utf8))
  exit(1)
}
