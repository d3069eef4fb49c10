import Dispatch
import Foundation
import ZeroContracts
import ZeroStoreLMDB
import ZeroStoreSQLite

// A client in a process that is to be killed: `BACKEND FOLDER NAME [idle]`.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3 else {
  StoreWorker.say("failed usage: BACKEND FOLDER NAME [idle]")
  exit(64)
}
do {
  let worker = try KilledClient(
    storage: arguments[0] == "lmdb"
      ? LMDBStoreProvider(directory: arguments[1]) : SQLiteStoreProvider(directory: arguments[1]),
    name: arguments[2])
  let input = Thread {
    while let line = readLine() {
      DispatchQueue.main.async { MainActor.assumeIsolated { worker.hear(line) } }
    }
    exit(0)
  }
  input.start()
  if arguments.count == 3 { worker.mutate() }
  // Whoever waits for a line hears at least that none will come.
  DispatchQueue.main.asyncAfter(deadline: .now() + 600) {
    StoreWorker.say("failed not done within ten minutes")
    exit(1)
  }
  withExtendedLifetime(worker) { dispatchMain() }
} catch {
  StoreWorker.say("failed \(error)")
  exit(1)
}
