import Foundation
public import ZeroProtocol

/// The program that ``StoreContract/fileCases`` start to be another process, to be killed, or to run
/// out of space.
///
/// A backend declares an executable target that its test target depends on:
///
///     import ZeroContracts
///
///     StoreWorker.run { folder in MyStoreProvider(directory: folder) }
public enum StoreWorker {
  /// Does what the command line says and exits.
  public static func run(_ makeProvider: (_ folder: String) throws -> any StoreProvider) -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 3 else {
      say("usage: COMMAND FOLDER DATABASE [ARGUMENT]")
      exit(64)
    }
    do {
      if arguments[0] == "probe-as" {
        try becomeUser(arguments[3])
      }
      try perform(
        arguments[0], try makeProvider(arguments[1]), arguments[2],
        arguments.count > 3 ? arguments[3] : "")
      exit(0)
    } catch let error as StoreError {
      say("error \(error.code)")
      say(error.message.replacing("\n", with: " "))
    } catch {
      say("failure \(error)")
    }
    exit(1)
  }

  /// Prints a line at once: whoever reads it may kill this process next.
  public static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
  }

  // MARK: -

  private static func perform(
    _ command: String, _ provider: any StoreProvider, _ name: String, _ argument: String
  ) throws {
    switch command {
    case "probe", "probe-as":
      let store = try provider.open(name, tables: ["alpha", "beta"])
      try store.write { try $0.put(beta, bytes("probe"), bytes("v")) }
      store.close()
      say("ok")
    case "drop":
      try provider.drop(name)
      say("ok")
    case "hold":
      let store = try provider.open(name, tables: ["alpha", "beta"])
      say("open")
      _ = readLine()
      store.close()
      say("closed")
    case "loop":
      let store = try provider.open(name, tables: ["alpha", "beta"])
      var number = try store.read { try WorkerLoad.verify($0) }
      while true {
        number += 1
        try store.write { try WorkerLoad.write(number, to: $0) }
        say("\(number)")
      }
    case "fill": try fill(try provider.open(name, tables: ["alpha", "beta"]), limit: Int(argument))
    default: throw StoreContract.Violation(message: "there is no command \(command)")
    }
  }

  /// Writes until there is no space left, checks that nothing acknowledged is lost, makes room and
  /// writes again. Without a limit of its own it relies on a small file system.
  private static func fill(_ store: any Store, limit: Int?) throws {
    signal(SIGXFSZ, SIG_IGN)
    if let limit { setFileSizeLimit(limit) }
    var count = 0
    var refusal: StoreError?
    while refusal == nil, count < 2000 {
      do {
        try store.write { transaction in
          for part in UInt8(0)..<4 {
            try transaction.put(
              alpha, [UInt8(count / 256), UInt8(count % 256), part],
              [UInt8](repeating: part, count: 8_000))
          }
        }
        count += 1
      } catch let error as StoreError { refusal = error }
    }
    say("refused \(refusal.map { "\($0.code)" } ?? "nothing")")
    say(refusal?.message ?? "")
    let kept = try store.read { try $0.pairs(alpha) }
    let isWhole = kept.allSatisfy { $0.value == [UInt8](repeating: $0.key[2], count: 8_000) }
    say(kept.count == count * 4 && isWhole ? "kept all" : "kept \(kept.count) of \(count * 4)")
    if limit != nil {
      setFileSizeLimit(nil)
      try store.write { try $0.put(beta, bytes("later"), bytes("v")) }
      say("wrote again")
    }
    store.close()
    say("closed")
  }

  private static func setFileSizeLimit(_ bytes: Int?) {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    getrlimit(resource, &limit)
    limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
    setrlimit(resource, &limit)
  }

  private static func becomeUser(_ id: String) throws {
    guard let id = UInt32(id), setgid(id) == 0, setuid(id) == 0 else {
      throw StoreContract.Violation(message: "cannot become user \(id)")
    }
  }
}
