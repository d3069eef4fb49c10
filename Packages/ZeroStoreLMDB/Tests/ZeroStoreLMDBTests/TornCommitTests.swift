import Foundation
import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreLMDB

/// Commits of which a power loss leaves any part, made by mixing the bytes of the file before and after.
@Suite struct TornCommitTests {
  private static let tables = ["a", "b"]
  private static let sectorBytes = 512
  private static let pageBytes = 4096

  /// A database after a commit: its file and what is in it.
  private struct State {
    var file: [UInt8]
    var content: [Content]
  }

  @Test(
    "of a commit that did not reach the disk whole nothing is left, and all before it is there",
    arguments: 0..<2 as Range<UInt64>)
  func tornCommits(number: UInt64) throws {
    let seed = TestSeed.value &+ number
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = self.provider(folder.path + "/live")
    var random = SeededRandom(seed: seed)
    let store = try provider.open("db", tables: Self.tables)
    defer { store.close() }
    var state = State(file: try read(provider.path(of: "db")), content: [[:], [:]])
    let owner = try read(provider.path(of: "db") + ".owner")
    let lost = try LostPower(folder.path + "/lost", owner: owner, provider: self.provider)
    for number in 0..<12 {
      let before = state
      try store.write { try change($0, &state.content, &random) }
      state.file = try read(provider.path(of: "db"))
      try lost.check(before.file, is: [before.content], "before commit \(number)")
      try lost.check(state.file, is: [state.content], "after commit \(number)")
      for part in parts(before.file, state.file, &random) {
        try lost.check(part, is: [before.content, state.content], "within commit \(number)")
      }
    }
  }

  @Test("a commit of another mode leaves no seal behind, and the next open in this one seals again")
  func changedMode() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for number in UInt8(0)..<6 {
      let store = try LMDBStoreProvider(
        directory: folder.path,
        options: .init(synchronization: [.full, .ordered, .process][Int(number) % 3])
      ).open("db", tables: number < 3 ? ["a"] : ["a", "b"])
      let before = try store.read { try $0.content(0) }
      #expect(before.keys.sorted { $0[0] < $1[0] } == (0..<number).map { [$0] })
      try store.write { try $0.put(StoreTable(0), [number], [number]) }
      store.close()
    }
  }

  @Test("a closed file of which a record is missing is damaged, not returned to an earlier state")
  func missingInClosedFile() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = self.provider(folder.path)
    let store = try provider.open("db", tables: Self.tables)
    for number in UInt8(0)..<9 { try store.write { try $0.put(StoreTable(0), [number], [1]) } }
    let before = try read(provider.path(of: "db"))
    try store.write { try $0.put(StoreTable(0), [9], [1]) }
    store.close()
    var file = try read(provider.path(of: "db"))
    // The pages of the commit before the last, under the last commit's number.
    for page in 2..<before.count / Self.pageBytes {
      let place = page * Self.pageBytes..<(page + 1) * Self.pageBytes
      file.replaceSubrange(place, with: before[place])
    }
    try Data(file).write(to: URL(filePath: provider.path(of: "db")))
    let error = #expect(throws: StoreError.self) {
      _ = try provider.open("db", tables: Self.tables)
    }
    #expect(error?.code == .corrupt)
  }

  // MARK: -

  private func provider(_ folder: String) -> LMDBStoreProvider {
    LMDBStoreProvider(directory: folder, options: .init(synchronization: .full))
  }

  private func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  private func change(
    _ transaction: any StoreTransaction, _ content: inout [Content], _ random: inout SeededRandom
  ) throws {
    for _ in 0...Int.random(in: 0..<6, using: &random) {
      let index = Int.random(in: 0..<2, using: &random)
      let table = StoreTable(index)
      let key = [
        UInt8(Int.random(in: 0..<3, using: &random)), UInt8(Int.random(in: 0..<20, using: &random)),
      ]
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        try transaction.deletePrefix(table, [key[0]])
        content[index] = content[index].filter { $0.key[0] != key[0] }
      case 1 where Int.random(in: 0..<5, using: &random) == 0:
        try transaction.deletePrefix(table, [])
        content[index] = [:]
      case 2, 3:
        try transaction.delete(table, key)
        content[index][key] = nil
      default:
        let count =
          Int.random(in: 0..<8, using: &random) == 0
          ? 9000 : Int.random(in: 0..<400, using: &random)
        let value = [UInt8](repeating: UInt8(Int.random(in: 0..<256, using: &random)), count: count)
        try transaction.put(table, key, value)
        content[index][key] = value
      }
    }
  }

  /// Files that hold some pages of `old` and some of `new`, and some with parts of pages.
  private func parts(
    _ old: [UInt8], _ new: [UInt8], _ random: inout SeededRandom
  ) -> [[UInt8]] {
    let pages = differences(old, new, Self.pageBytes)
    let some = 1 << min(pages.count, 5)
    var files = (1..<max(2, some - 1)).map { choice in
      mixture(old, new, pages.indices.filter { choice >> ($0 % 5) & 1 == 1 }.map { pages[$0] })
    }
    let sectors = differences(old, new, Self.sectorBytes)
    for _ in 0..<8 {
      files.append(
        mixture(old, new, sectors.filter { _ in Int.random(in: 0..<2, using: &random) == 0 }))
    }
    return files
  }

  /// The places of blocks that differ.
  private func differences(_ old: [UInt8], _ new: [UInt8], _ byteCount: Int) -> [Range<Int>] {
    stride(from: 0, to: new.count, by: byteCount).map { $0..<$0 + byteCount }.filter {
      $0.upperBound > old.count || old[$0] != new[$0]
    }
  }

  /// `old` with these blocks of `new`.
  private func mixture(_ old: [UInt8], _ new: [UInt8], _ blocks: [Range<Int>]) -> [UInt8] {
    var file = old
    for block in blocks {
      if file.count < block.upperBound {
        file += repeatElement(0, count: block.upperBound - file.count)
      }
      file.replaceSubrange(block, with: new[block])
    }
    // Whole pages: the length of the file is one of the things that were not written yet.
    file += repeatElement(0, count: (Self.pageBytes - file.count % Self.pageBytes) % Self.pageBytes)
    return file
  }

  /// A place where files are opened as after a power loss.
  private struct LostPower {
    let provider: LMDBStoreProvider
    let folder: String
    let owner: [UInt8]

    init(
      _ folder: String, owner: [UInt8], provider: (String) -> LMDBStoreProvider
    ) throws {
      self.provider = provider(folder)
      self.folder = folder
      self.owner = owner
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    /// Opens `file`, which must hold one of `contents`, also when it is opened again after a write.
    func check(_ file: [UInt8], is contents: [[Content]], _ place: String) throws {
      let path = provider.path(of: "db")
      try Data(file).write(to: URL(filePath: path))
      try Data(owner).write(to: URL(filePath: path + ".owner"))
      let store = try provider.open("db", tables: TornCommitTests.tables)
      let found = try content(store)
      try #require(contents.contains(found), "\(place): the database holds something else")
      try store.write { try $0.put(StoreTable(0), [9], [9]) }
      store.close()
      let again = try provider.open("db", tables: TornCommitTests.tables)
      defer { again.close() }
      var expected = found
      expected[0][[9]] = [9]
      try #require(try content(again) == expected, "\(place): a later write broke it")
    }

    private func content(_ store: any Store) throws -> [Content] {
      try store.read { snapshot in
        try TornCommitTests.tables.indices.map { try snapshot.content($0) }
      }
    }
  }
}
