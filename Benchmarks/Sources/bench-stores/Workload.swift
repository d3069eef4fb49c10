import CStoreBench
import Foundation
import ZeroProtocol
import ZeroStoreEncrypted
import ZeroStoreLMDB
import ZeroStoreMemory
import ZeroStoreSQLite

let table = StoreTable(0)

/// Keys of 18 bytes and values of 200, the same for ours and for C.
final class Workload {
  static let keyBytes = 18
  static let valueBytes = 200

  let count: Int
  let keys: UnsafeMutablePointer<UInt8>
  let value: UnsafeMutablePointer<UInt8>
  /// The record numbers in an order without locality.
  let order: [UInt32]

  init(count: Int) {
    self.count = count
    keys = .allocate(capacity: count * Self.keyBytes)
    value = .allocate(capacity: Self.valueBytes)
    value.initialize(repeating: 0x61, count: Self.valueBytes)
    let prefix = Array("row/".utf8)
    for number in 0..<count {
      let key = keys + number * Self.keyBytes
      var rest = number
      for place in (prefix.count..<Self.keyBytes).reversed() {
        key[place] = UInt8(48 + rest % 10)
        rest /= 10
      }
      for place in prefix.indices { key[place] = prefix[place] }
    }
    var state: UInt64 = 42
    order = (0..<UInt32(count)).map { ($0, Self.next(&state)) }.sorted { $0.1 < $1.1 }.map { $0.0 }
  }

  deinit {
    keys.deallocate()
    value.deallocate()
  }

  @inline(__always)
  func key(_ number: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: keys + number * Self.keyBytes, count: Self.keyBytes)
  }

  private static func next(_ state: inout UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}

/// A store or its peer in C, with the operations of the benchmarks.
protocol Subject: AnyObject {
  func bulk(_ work: Workload, _ range: Range<Int>) throws
  func scan() throws -> UInt64
  func get(_ work: Workload) throws -> UInt64
  func deletePrefix(_ prefix: [UInt8]) throws
  func close()
}

final class OurStore: Subject {
  private let store: any Store

  init(_ provider: any StoreProvider) throws {
    store = try provider.open("bench", tables: ["t"])
  }

  func bulk(_ work: Workload, _ range: Range<Int>) throws {
    try store.write { transaction in
      for number in range {
        UnsafeMutableRawPointer(work.value).storeBytes(of: number, as: Int.self)
        let value = UnsafeRawBufferPointer(start: work.value, count: Workload.valueBytes)
        try transaction.put(table, work.key(number).bytes, value.bytes)
      }
    }
  }

  func scan() throws -> UInt64 {
    var sum: UInt64 = 0
    try store.read { snapshot in
      try snapshot.scan(table) { key, value in
        sum &+= UInt64(key.byteCount)
        sum &+= value.withUnsafeBytes { store_bench_sum($0.baseAddress, $0.count) }
        return true
      }
    }
    return sum
  }

  func get(_ work: Workload) throws -> UInt64 {
    var sum: UInt64 = 0
    try store.read { snapshot in
      for number in work.order {
        sum &+= try snapshot.get(table, work.key(Int(number)).bytes) { value in
          guard let value else { return 0 }
          return UInt64(value.unsafeLoad(as: UInt8.self))
        }
      }
    }
    return sum
  }

  func deletePrefix(_ prefix: [UInt8]) throws {
    try store.write { try $0.deletePrefix(table, prefix) }
  }

  func close() { store.close() }
}

final class CStore: Subject {
  struct Failure: Error {
    let code: Int32
  }

  private let store: OpaquePointer

  init(isLMDB: Bool, path: String, level: Int32) throws {
    var store: OpaquePointer?
    try Self.check(store_bench_open(isLMDB ? 1 : 0, path, level, &store))
    guard let store else { throw Failure(code: 0) }
    self.store = store
  }

  func bulk(_ work: Workload, _ range: Range<Int>) throws {
    try Self.check(
      store_bench_bulk(
        store, work.keys, Workload.keyBytes, work.value, Workload.valueBytes, range.lowerBound,
        range.count))
  }

  func scan() throws -> UInt64 {
    var sum: UInt64 = 0
    try Self.check(store_bench_scan(store, &sum))
    return sum
  }

  func get(_ work: Workload) throws -> UInt64 {
    var sum: UInt64 = 0
    try Self.check(
      store_bench_get(store, work.keys, Workload.keyBytes, work.order, work.order.count, &sum))
    return sum
  }

  func deletePrefix(_ prefix: [UInt8]) throws {
    try Self.check(store_bench_delete_prefix(store, prefix, prefix.count))
  }

  func close() { store_bench_close(store) }

  private static func check(_ code: Int32) throws {
    if code != 0 { throw Failure(code: code) }
  }
}
