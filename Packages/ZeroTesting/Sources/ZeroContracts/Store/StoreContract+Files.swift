import Foundation
public import ZeroProtocol

extension StoreContract {
  /// A rule for backends that keep files, checked with real files and other processes.
  public struct FileCase: Sendable, CustomStringConvertible {
    /// The rule as a sentence.
    public let name: String
    let body: @Sendable (FileSubject) throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (FileSubject) throws -> Void) {
      self.name = name
      self.body = body
    }

    public var description: String { name }

    /// Checks the rule in an empty folder, which is removed afterwards.
    /// - Parameters:
    ///   - worker: name of the executable that runs ``StoreWorker`` for this backend.
    ///   - folderName: last part of the folder's path, from which the worker may tell how to open.
    ///   - makeProvider: makes a provider that keeps its files in the given folder.
    /// - Throws: ``StoreContract/Violation`` if the rule does not hold, or what the store threw.
    public func check(
      worker: String, folderName: String = "store",
      _ makeProvider: @Sendable (_ folder: String) throws -> any StoreProvider
    ) throws {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let path = folder.path + "/" + folderName
      let subject = FileSubject(
        provider: try makeProvider(path), folder: path, worker: try WorkerProcess.path(of: worker))
      do { try body(subject) } catch let violation as Violation {
        throw Violation(message: "\(name): \(violation.message)")
      }
    }
  }

  /// What a file case works on.
  struct FileSubject {
    let provider: any StoreProvider
    /// The folder the provider makes and keeps its files in.
    let folder: String
    let worker: String

    func open() throws -> any Store {
      try provider.open("contract", tables: ["alpha", "beta"])
    }

    func start(_ command: String, _ argument: String? = nil) throws -> WorkerProcess {
      try WorkerProcess([worker, command, folder, "contract"] + [argument].compactMap { $0 })
    }

    /// The largest file in the folder: where the data is.
    func dataPath() throws -> String {
      let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { !$0.contains(".corrupt-") }.map { folder + "/" + $0 }
      let sizes = files.map { path in
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
      }
      guard let largest = zip(sizes, files).max(by: { $0.0 < $1.0 })?.1 else {
        throw Violation(message: "there are no files")
      }
      return largest
    }

    /// Writes 300 records and closes the database.
    func fillAndClose() throws -> [[UInt8]: [UInt8]] {
      var records = (0..<300).map { number in
        (bytes("row/\(number)"), [UInt8](repeating: UInt8(number % 251), count: 190))
      }
      records.append((bytes("large"), [UInt8](repeating: 9, count: 30_000)))
      let store = try open()
      try store.write { transaction in
        for (key, value) in records { try transaction.put(alpha, key, value) }
      }
      for number in 0..<20 { try store.set(beta, bytes("\(number)"), bytes("x")) }
      store.close()
      return Dictionary(uniqueKeysWithValues: records)
    }

    /// Whether a database that reads well has exactly `content`.
    func holds(_ content: [[UInt8]: [UInt8]], _ store: any Store) throws -> Bool {
      let pairs = try store.read { try $0.pairs(alpha) }
      let others = try store.read { try $0.keys(beta) }
      return pairs.count == content.count && others.count == 20
        && pairs.allSatisfy { content[$0.key] == $0.value }
    }
  }

  /// Every rule for files that this machine can check; those on other users and on media need root,
  /// and a system that lets it become another user and mount.
  public static var fileCases: [FileCase] {
    var cases = processCases + damageCases
    #if os(Linux)
      if geteuid() == 0 {
        if WorkerProcess.succeeds([
          "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "true",
        ]) {
          cases += userCases
        }
        let mount =
          "{ mount -t tmpfs -o size=256k none \"$0\" && mount --bind \"$0\" \"$0\""
          + " && mount -o remount,ro,bind \"$0\"; } 2>/dev/null"
        if WorkerProcess.succeeds(["unshare", "-m", "sh", "-c", mount, NSTemporaryDirectory()]) {
          cases += mediumCases
        }
      }
    #endif
    return cases
  }
}
