import BenchKit
import Foundation
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroProtocol
import ZeroStoreLMDB
import ZeroStoreSQLite

extension ClientBench {
  /// Mutations until they are on stable storage, beside a file that gets the same bytes.
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
  }

  // MARK: -

  private func durable(_ kind: String, _ storage: any StoreProvider) throws {
    let client = try BenchClient(storage)
    client.connect()
    client.deliver(client.poke((0..<1000).map { IssueData.put("issue", data.issue($0)) }))
    for priority in 0..<3 { try client.open(client.list(priority, 50)) }
    let bytes = JSONValue.object(client.edit(0)).jsonText
    let floor = try SyncedFile()
    defer { floor.close() }
    var ours: [Double] = []
    var peer: [Double] = []
    for round in 0..<220 {
      let time = try measure { try client.mutate(round) }
      let written = measure { floor.append(bytes) }
      guard round >= 20 else { continue }
      ours.append(time)
      peer.append(written)
    }
    percentiles("mutate.durable.\(kind)", ours, peer)
    var batches: [Double] = []
    for _ in 0..<20 {
      batches.append(
        try measure {
          try client.turn { for j in 0..<100 { try client.mutate(j) } }
        } * 10)
    }
    let (batched, alone) = (batches.sorted()[10], ours.sorted()[100] * 1000)
    run.figure(
      "mutate.batched.\(kind)", size: 100, batched, "µs/mutation",
      note: "one by one \(Int(alone)), \(Int(alone / batched))×")
    client.close()
  }

  private func percentiles(_ name: String, _ ours: [Double], _ peer: [Double]) {
    let (ours, peer) = (ours.sorted(), peer.sorted())
    for (label, place) in [("p50", ours.count / 2), ("p99", ours.count * 99 / 100)] {
      let hundredths = Int(ours[place] / peer[place] * 100)
      run.figure(
        "\(name).\(label)", ours[place] * 1000, "µs",
        note: "fdatasync \(Int(peer[place] * 1000)) µs, \(Double(hundredths) / 100) of it")
    }
  }
}

/// A file that is on stable storage after each append.
private struct SyncedFile {
  private let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
  private let descriptor: Int32

  init() throws {
    descriptor = open(path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(.io, message: "\(path) cannot be made: error \(errno)")
    }
  }

  func append(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
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
