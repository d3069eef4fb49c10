import Foundation
import Testing
import ZeroContracts
import ZeroProtocol

@testable import ZeroStoreLMDB

/// Files the store wrote, in every state in which they can be found.
@Suite struct SoundFileTests {
  @Test("no file that the store wrote is taken for a damaged one", arguments: 0..<6)
  func histories(number: Int) throws {
    let seed = TestSeed.value &+ UInt64(number)
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    do {
      var history = try FileHistory(seed: seed, folder: folder.path)
      try history.run(steps: 60)
    } catch {
      Issue.record("seed \(seed): \(error)")
    }
  }

  @Test("a file that was made and not written to is sound")
  func unwritten() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path + "/file"
    let environment = try LMDBEnvironment(
      path: path, database: "db", mapBytes: 1 << 20, flags: 0)
    environment.close()
    _ = try LMDBFileCheck(path: path, database: "db").run(canRollBack: false)
  }
}

/// Random work on a database, whose file is checked after every step.
private struct FileHistory {
  private struct Abandoned: Error {}

  private var random: SeededRandom
  private let provider: LMDBStoreProvider
  private var store: any Store
  private var tables = ["one", "two"]
  /// The file after each of the last commits in a row.
  private var images: [[UInt8]] = []

  init(seed: UInt64, folder: String) throws {
    random = SeededRandom(seed: seed)
    let options = LMDBStoreProvider.Options(
      synchronization: [.process, .ordered, .full][random.next(below: 3)], busyTimeout: .zero,
      initialMapBytes: random.next(below: 2) == 0 ? 1 << 16 : nil)
    provider = LMDBStoreProvider(directory: folder, options: options)
    store = try provider.open("db", tables: tables)
  }

  mutating func run(steps: Int) throws {
    try check()
    for _ in 0..<steps {
      switch random.next(below: 20) {
      case 0: try reopen()
      case 1: try store.write { _ in }
      case 2:
        try? store.write { transaction in
          try change(transaction)
          throw Abandoned()
        }
      case 3:
        // A reader keeps pages from being used again. A write that has to grow the map is refused then.
        var copy = self
        try store.read { _ in
          for _ in 0..<4 { try? copy.write() }
        }
        self = copy
      default: try write()
      }
      try check()
    }
    store.close()
    try check()
  }

  // MARK: -

  private mutating func write() throws {
    try store.write { transaction in
      try change(transaction)
      // What another process would find if this one ended here.
      if random.next(below: 8) == 0 { try walk(file()) }
    }
  }

  private mutating func reopen() throws {
    store.close()
    if tables.count < 5 { tables.append("more\(tables.count)") }
    store = try provider.open("db", tables: tables)
  }

  private mutating func change(_ transaction: any StoreTransaction) throws {
    for _ in 0..<random.next(below: 60) {
      let table = StoreTable(random.next(below: tables.count))
      let key = key()
      switch random.next(below: 12) {
      case 0: try transaction.deletePrefix(table, Array(key.prefix(random.next(below: 3))))
      case 1, 2, 3: try transaction.delete(table, key)
      case 4: try transaction.put(table, key, value(upTo: 30_000))
      case 5:
        for place in UInt8(0)..<100 { try transaction.put(table, key + [place], value(upTo: 200)) }
      default: try transaction.put(table, key, value(upTo: 1_000))
      }
    }
    if random.next(below: 20) == 0 {
      for table in 0..<tables.count { try transaction.deletePrefix(StoreTable(table), []) }
    }
  }

  private mutating func key() -> [UInt8] {
    let byteCount = random.next(below: 10) == 0 ? 1 + random.next(below: 400) : 2
    return (0..<byteCount).map { _ in UInt8(random.next(below: 24)) }
  }

  private mutating func value(upTo limit: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(random.next(below: 256)), count: random.next(below: limit))
  }

  private mutating func check() throws {
    let file = try file()
    try walk(file)
    let commit = commit(file)
    let last = images.last.map { self.commit($0) }
    if last == commit { images.removeLast() }
    if let last, commit > last + 1 { images = [] }
    images = images.suffix(3) + [file]
    if images.count == 4 { try checkAfterPowerLoss() }
  }

  /// After a power loss the page that makes the last commit the current one may be missing, and pages of one
  /// more commit may be there.
  private mutating func checkAfterPowerLoss() throws {
    let pageBytes = Int(images[0][41]) << 8
    for (metaPages, whole, next) in [(0, 1, 2), (1, 2, 3), (2, 2, 3)] {
      var image = images[whole]
      let later = images[next]
      image += [UInt8](repeating: 0, count: max(0, later.count - image.count))
      for page in stride(from: 2 * pageBytes, to: later.count, by: pageBytes)
      where random.next(below: 2) == 0 {
        image.replaceSubrange(page..<page + pageBytes, with: later[page..<page + pageBytes])
      }
      image.replaceSubrange(..<(2 * pageBytes), with: images[metaPages][..<(2 * pageBytes)])
      try walk(image)
    }
  }

  private func file() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: provider.path(of: "db"))))
  }

  /// The number of the last commit.
  private func commit(_ file: [UInt8]) -> UInt64 {
    let pageBytes = Int(file[41]) << 8
    return file.withUnsafeBytes { file in
      max(
        file.loadUnaligned(fromByteOffset: 16 + 128, as: UInt64.self),
        file.loadUnaligned(fromByteOffset: pageBytes + 16 + 128, as: UInt64.self))
    }
  }

  private func walk(_ file: [UInt8]) throws {
    try file.withUnsafeBytes { file in
      var walk = LMDBPageWalk(file: file)
      _ = try walk.run()
    }
  }
}
