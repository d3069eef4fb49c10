import BenchKit
import Foundation
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory
import ZeroStoreSQLite

/// G: a client that opens what an earlier one stored. From before the constructor until the view has its
/// rows; no server answers.
extension ClientBench {
  func start() throws {
    if wants("start.mem") { try startInMemory() }
    if wants("start.file") { try startFromFile() }
  }

  /// Opens a store in a process of its own: the code is cold, the file in the system's cache.
  static func fileOpenChild(_ folder: String) throws {
    let start = try open(
      SQLiteStoreProvider(directory: folder), views: [BenchQueries.list(0, 50)])
    print(start.time, start.processor, Double(Processor.residentBytes) / 1e6)
    start.client.close()
  }

  // MARK: -

  private func startInMemory() throws {
    let storage = MemoryStoreProvider()
    let writer = try BenchClient(storage)
    writer.connect()
    writer.deliver(writer.poke(rows.issues))
    writer.close()
    let list = try BenchQueries.list(0, 50)
    let first = try time(storage, [list])
    run.median("start.mem.first", size: size, [first])
    for (name, views) in [("list", [list]), ("listAndAll", [list, try BenchQueries.all()])] {
      let samples = try (0..<5).map { _ in try time(storage, views) }
      run.median("start.mem.\(name)", size: size, samples)
    }
  }

  private func startFromFile() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let storage = TimedStoreProvider(SQLiteStoreProvider(directory: folder.path))
    let writer = try BenchClient(storage)
    writer.connect()
    let poke = writer.poke(rows.issues)
    _ = storage.takeMilliseconds()
    writer.deliver(poke)
    run.median("start.fileWrite.commit", size: size, [storage.takeMilliseconds()])
    writer.close()
    run.beside(
      "start.fileWrite.disk", size: size, Double(Self.bytes(in: folder.path)) / 1e6, "MB",
      .lessOnAnyMachine)
    let opened = try (0..<5).map { _ in try ChildRun.numbers("fileOpen", "\(size)", folder.path) }
    run.median("start.fileOpen", size: size, opened.map { $0[0] })
    run.median("start.fileOpen.cpu", size: size, opened.map { $0[1] }, note: "main thread")
    run.beside(
      "start.fileOpen.rss", size: size, Spread(opened.map { $0[2] }).median, "MB",
      .lessOnAnyMachine)
  }

  private func time(_ storage: any StoreProvider, _ views: [AnyQuery]) throws -> Double {
    let start = try Self.open(storage, views: views)
    start.client.close()
    return start.time
  }

  /// A client that shows its views, with the milliseconds until then, and those that the thread ran.
  private typealias Start = (client: BenchClient, time: Double, processor: Double)

  private static func open(_ storage: any StoreProvider, views: [AnyQuery]) throws -> Start {
    let (processor, start) = (Processor.threadSeconds, ContinuousClock.now)
    let client = try BenchClient(storage)
    for query in views {
      guard !(try client.open(query).data.entries.isEmpty) else {
        throw BenchFailure("the stored rows are not there")
      }
    }
    return (
      client, (ContinuousClock.now - start).seconds * 1000,
      (Processor.threadSeconds - processor) * 1000
    )
  }

  private static func bytes(in folder: String) -> Int {
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return files.reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
      return sum + (attributes?[.size] as? Int ?? 0)
    }
  }
}
