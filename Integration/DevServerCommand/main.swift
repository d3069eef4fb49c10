import Dispatch
import Foundation
import IssueTracker
import IssueTrackerServer
import ZeroDevServer
import ZeroDevServerHost
import ZeroProtocol
import ZeroStoreSQLite
import ZeroWebSocketServer

func fail(_ message: String, status: Int32 = 1) -> Never {
  FileHandle.standardError.write(Data("zero-dev-server: \(message)\n".utf8))
  exit(status)
}

func readJSON(_ path: String) throws -> JSONValue {
  guard let data = FileManager.default.contents(atPath: path) else {
    throw ServerArguments.Failure(message: "\(path) cannot be read")
  }
  return try JSONValue(parsing: [UInt8](data))
}

@MainActor func makeServer(_ arguments: ServerArguments, _ scheduler: any Scheduler) throws
  -> DevServer
{
  let schema =
    try arguments.schemaPath.map { try DatabaseSchema(ZeroSchema(json: try readJSON($0))) }
    ?? .issueTracker()
  if arguments.endpoint.queryURL != nil || arguments.endpoint.mutateURL != nil {
    let backend = EndpointBackend(arguments.endpoint, scheduler: scheduler)
    let server = DevServer(schema: schema, backend: backend, scheduler: scheduler)
    backend.server = server
    return server
  }
  let tokens = arguments.tokens.isEmpty ? .issueTracker : TokenList(arguments.tokens)
  return DevServer(
    schema: schema, registry: .issueTracker, tokens: tokens, scheduler: scheduler)
}

@MainActor func load(_ arguments: ServerArguments, _ server: DevServer) throws {
  if let path = arguments.seedPath {
    try server.load(try SeedRows(jsonText: try readJSON(path).jsonString).tables)
  } else if let count = arguments.issueCount {
    try server.load(SeedRows.generated(issues: count).tables)
  } else if arguments.schemaPath == nil {
    try server.load(try SeedRows.small().tables)
  }
}

if CommandLine.arguments.contains("--help") {
  print(ServerArguments.usage)
  exit(0)
}
do {
  let arguments = try ServerArguments(CommandLine.arguments.dropFirst())
  let server = try makeServer(arguments, MainQueueScheduler())
  server.onStoreFailure = { error in
    let line = "zero-dev-server: nothing is kept any more, a write failed: \(error)\n"
    FileHandle.standardError.write(Data(line.utf8))
  }
  var isRestored = false
  if let path = arguments.dataPath {
    isRestored = try server.keep(in: SQLiteStoreProvider(directory: path))
  }
  if !isRestored { try load(arguments, server) }
  var options = WebSocketServerOptions()
  options.port = arguments.port
  options.isPublic = arguments.isPublic
  let host = try DevServerHost(server, options: options)
  // Not `print`: who starts the server through a pipe waits for this line.
  let line = "development server, not for production: http://127.0.0.1:\(host.port)\n"
  FileHandle.standardOutput.write(Data(line.utf8))
  var sources: [any DispatchSourceSignal] = []
  for number in [SIGINT, SIGTERM] {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler {
      MainActor.assumeIsolated { host.stop() }
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) { exit(0) }
    }
    source.resume()
    sources.append(source)
  }
  withExtendedLifetime((host, sources)) { dispatchMain() }
} catch let failure as ServerArguments.Failure {
  fail("\(failure.message)\n\n\(ServerArguments.usage)", status: 2)
} catch {
  fail("\(error)")
}
