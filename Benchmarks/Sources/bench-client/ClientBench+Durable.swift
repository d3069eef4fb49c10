import BenchKit
import Foundation
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroProtocol
import ZeroStoreLMDB
import ZeroStoreSQLite

extension ClientBench {
  /// Mutations until they are on stable storage, beside files that get the same bytes.
  func durable() throws {
    guard run.wants("mutate.durable") || run.wants("mutate.batched") else { return }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try durable(
      "sqlite",
      SQLiteStoreProvider(directory: folder.path + "/sqlite", options: .init(synchronous: .full)))
    try durable(
      "lmdb",
      LMDBStoreProvider(directory: folder.path + "/lmdb", options: .init(synchronization: .full)))
    // A power loss takes the last commit: its data is on disk, the page that makes it current is not.
    try durable(
      "lmdb.ordered",
      LMDBStoreProvider(
        directory: folder.path + "/ordered", options: .init(synchronization: .ordered)))
  }

  // MARK: -

  private func durable(_ kind: String, _ storage: any StoreProvider) throws {
    let client = try BenchClient(storage)
    client.connect()
    client.deliver(client.poke((0..<1000).map { IssueData.put("issue", data.issue($0)) }))
    for priority in 0..<3 { try client.open(client.list(priority, 50)) }
    let bytes = JSONValue.object(client.edit(0)).jsonText
    let growing = try SyncedFile(reservedBytes: 0)
    defer { growing.close() }
    let reserved = try SyncedFile(reservedBytes: 1 << 20)
    defer { reserved.close() }
    var times = DurableTimes()
    for round in 0..<220 {
      let ours = try measure { try client.mutate(round) }
      let appended = measure { growing.write(bytes, at: round * bytes.count) }
      let inPlace = measure { reserved.write(bytes, at: round * bytes.count) }
      guard round >= 20 else { continue }
      times.ours.append(ours)
      times.appended.append(appended)
      times.inPlace.append(inPlace)
    }
    for (label, percent) in [("p50", 50), ("p99", 99)] {
      let ours = DurableTimes.microseconds(times.ours, percent)
      run.figure(
        "mutate.durable.\(kind).\(label)", ours, "µs", note: times.note(percent, beside: ours))
    }
    var batches: [Double] = []
    for _ in 0..<20 {
      batches.append(
        try measure {
          try client.turn { for j in 0..<100 { try client.mutate(j) } }
        } * 10)
    }
    let batched = batches.sorted()[10]
    let alone = DurableTimes.microseconds(times.ours, 50)
    run.figure(
      "mutate.batched.\(kind)", size: 100, batched, "µs/mutation",
      note: "one by one \(Int(alone)), \(Int(alone / batched))×")
    client.close()
  }
}

/// Milliseconds of mutations and of the same bytes in plain files.
private struct DurableTimes {
  var ours: [Double] = []
  /// At the end of a file, which gets longer: the floor.
  var appended: [Double] = []
  /// In blocks that were written before, as in a log that is used again.
  var inPlace: [Double] = []

  static func microseconds(_ times: [Double], _ percent: Int) -> Double {
    times.isEmpty ? 0 : times.sorted()[times.count * percent / 100] * 1000
  }

  func note(_ percent: Int, beside ours: Double) -> String {
    let appended = Self.microseconds(appended, percent)
    let inPlace = Self.microseconds(inPlace, percent)
    let hundredths = Int(ours / appended * 100)
    return "fdatasync \(Int(appended)) µs, \(Double(hundredths) / 100) of it; "
      + "in place \(Int(inPlace)) µs"
  }
}

/// A file that is on stable storage after each write.
private struct SyncedFile {
  private let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
  private let descriptor: Int32

  /// - Parameter reservedBytes: how long the file is, on stable storage, before the first write.
  init(reservedBytes: Int) throws {
    descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(.io, message: "\(path) cannot be made: error \(errno)")
    }
    if reservedBytes > 0 { write([UInt8](repeating: 0, count: reservedBytes), at: 0) }
  }

  func write(_ bytes: [UInt8], at offset: Int) {
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_FULLFSYNC)
    #else
      fdatasync(descriptor)
    #endif
  }

  func close() {
    #if canImport(Darwin)
      Darwin.close(descriptor)
    #else
      Glibc.close(descriptor)
    #endif
    unlink(path)
  }
}
