import Foundation
import Testing
import ZeroProtocol

@_spi(Testing) @testable import ZeroStoreCore

@Suite struct DatabaseClaimTests {
  private let path = FileManager.default.temporaryDirectory
    .appending(path: "zero-claim-\(UUID().uuidString)").path(percentEncoded: false)

  private var folder: DatabaseFolder {
    DatabaseFolder(path: path, kind: "test", layout: 3, companions: ["", "-log"])
  }

  private func claim(_ name: String = "a") throws -> DatabaseClaim {
    try folder.claim(name, patience: LockPatience(limit: .zero))
  }

  private func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  #if os(Linux)
    @Test("a copy of the descriptor, as a program being started has, does not keep the lock")
    func inherited() throws {
      defer { try? FileManager.default.removeItem(atPath: path) }
      let held = try claim()
      let owner = held.dataPath + ".owner"
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      let copied = descriptors.compactMap { Int32($0) }.first { descriptor in
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(descriptor)")
        return target == owner
      }
      let copy = dup(try #require(copied))
      defer { close(copy) }
      held.release()
      try claim().release()
    }
  #endif

  @Test("a database goes from fresh over unclean and clean to suspicious as its file is treated")
  func trust() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    var held = try claim()
    #expect(try held.examine() == .fresh)
    try held.create()
    held.release()

    held = try claim()
    #expect(try held.examine() == .fresh)
    try held.create()
    try held.markOpen()
    try write("content", to: held.dataPath)
    held.release()

    held = try claim()
    #expect(try held.examine() == .unclean)
    held.markClean()
    held.release()

    held = try claim()
    #expect(try held.examine() == .clean)
    held.release()
    try write("longer content", to: held.dataPath)

    held = try claim()
    #expect(
      try held.examine() == .suspicious("it had 7 bytes when it was closed and has 14 now"))
    held.markSuspect()
    held.markClean()
    held.release()

    held = try claim()
    #expect(try held.examine() == .suspicious("damage was found while it was last open"))
    held.release()
    try FileManager.default.removeItem(atPath: held.dataPath + ".owner")

    held = try claim()
    #expect(try held.examine() == .suspicious("its owner file is missing or damaged"))
    held.release()
  }

  @Test("a damaged file is set aside with its companions and dropped with the database")
  func setAside() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let held = try claim()
    try held.create()
    try held.markOpen()
    try write("content", to: held.dataPath)
    try write("log", to: held.dataPath + "-log")
    #expect(try folder.list() == ["a"])
    let error = held.setAside(reason: "a test says so")
    let aside = try #require(error.setAsidePath)
    #expect(error.code == .corrupt)
    #expect(error.message.contains("a test says so"))
    #expect(FileManager.default.contents(atPath: aside) == Data("content".utf8))
    #expect(FileManager.default.contents(atPath: aside + "-log") == Data("log".utf8))
    #expect(try held.examine() == .fresh)
    #expect(try folder.list() == [])
    held.release()
    try folder.drop("a", patience: LockPatience(limit: .zero))
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
  }

  @Test("a second claim in the process is refused until the first is released")
  func exclusive() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let held = try claim()
    #expect(throws: StoreError.self) { try claim() }
    try claim("b").release()
    held.release()
    held.release()
    try claim().release()
  }

  @Test("waiting for a lock pauses up to the limit and no longer")
  func patience() {
    for limit in [0, 1, 10, 200, 1000] {
      let patience = LockPatience(limit: .milliseconds(limit)) { _ in }
      var attempt = 1
      while patience.pause(before: attempt) { attempt += 1 }
      #expect(attempt <= 6 + limit / 25, "\(limit) ms took \(attempt) tries")
      #expect((attempt == 1) == (limit == 0))
    }
  }
}
