import Foundation
import Synchronization
import Testing

@testable import ZeroStoreCore

@Suite struct DataFilePlaceTests {
  private let path = FileManager.default.temporaryDirectory
    .appending(path: "zero-place-\(UUID().uuidString)").path(percentEncoded: false)

  private final class Clock: Sendable {
    private let now = Mutex<UInt64>(1_000_000)
    func read() -> UInt64 { now.withLock { $0 } }
    func advance(_ nanoseconds: UInt64) { now.withLock { $0 += nanoseconds } }
  }

  @Test("a file is missed 50 microseconds after it was seen, and found again when it is back")
  func moved() throws {
    try "a".write(toFile: path, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let clock = Clock()
    let place = DataFilePlace(path) { clock.read() }
    clock.advance(60_000)
    #expect(place.isKept())
    try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
    clock.advance(49_999)
    #expect(place.isKept())
    clock.advance(1)
    #expect(!place.isKept())
    #expect(!place.isKept())
    try FileManager.default.moveItem(atPath: path + ".moved", toPath: path)
    #expect(place.isKept())
  }

  @Test("another file at the path is not the one that was opened")
  func replaced() throws {
    try "a".write(toFile: path, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let clock = Clock()
    let place = DataFilePlace(path) { clock.read() }
    try "b".write(toFile: path + ".new", atomically: false, encoding: .utf8)
    try #require(rename(path + ".new", path) == 0)
    clock.advance(50_000)
    #expect(!place.isKept())
  }

  @Test("a file that was not there when the store opened is in no place")
  func missing() {
    let clock = Clock()
    let place = DataFilePlace(path) { clock.read() }
    clock.advance(50_000)
    #expect(!place.isKept())
  }

  @Test("what tells a file from others is the same with and without its times")
  func identity() throws {
    try "a".write(toFile: path, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let identity = try #require(FileSystem.identity(path))
    #expect(identity == FileSystem.status(path).status?.identity)
    #expect(FileSystem.identity(path + ".missing") == nil)
  }
}
