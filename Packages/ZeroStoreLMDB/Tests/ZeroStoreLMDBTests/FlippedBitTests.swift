import Foundation
import Testing
import ZeroContracts
import ZeroProtocol

@testable import ZeroStoreLMDB

/// Files with one wrong bit and the time of the last write, as a medium leaves them.
@Suite struct FlippedBitTests {
  private static let tables = ["alpha", "beta"]
  private static let records = StoreTable(0)

  @Test(
    "each bit of what leads to records is found when it is wrong, or changes nothing",
    arguments: [0, 1])
  func eachBit(moreCommits: Int) throws {
    // Each of the thousand openings waits for the disk otherwise.
    let folder = try TemporaryFolder(inMemory: true)
    defer { folder.remove() }
    let provider = LMDBStoreProvider(
      directory: folder.path, options: .init(synchronization: .process, initialMapBytes: 1 << 24))
    let expected = try fill(provider, moreCommits)
    let sound = try FolderCopy(folder.path)
    let path = provider.path(of: "db")
    var file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let structure = FileStructure(file)
    #expect(structure.places.count > 700)
    var opened = 0
    for place in structure.places where place < structure.treesStart || moreCommits == 0 {
      for bit in 0..<8 {
        file[place] ^= 1 << UInt8(bit)
        defer { file[place] ^= 1 << UInt8(bit) }
        if isFound(file) { continue }
        // Most of a meta page does not matter, of the older one nearly all.
        opened += 1
        if place < structure.treesStart, opened % 4 != 0 { continue }
        try sound.restore()
        try sound.write(Data(file), to: path, keepingTime: true)
        let wrong = try difference(provider, expected)
        #expect(wrong == nil, "bit \(bit) of byte \(place) of pages of \(structure.pageBytes)")
      }
    }
  }

  // MARK: -

  /// Fills the tables so that the file has pages of every kind, and returns what is in the first.
  private func fill(_ provider: LMDBStoreProvider, _ moreCommits: Int) throws -> [[UInt8]: [UInt8]]
  {
    var content: [[UInt8]: [UInt8]] = [[0]: [UInt8](repeating: 1, count: 5_000)]
    for number in UInt8(1)..<7 { content[[number, 9]] = [UInt8](repeating: number, count: 1_500) }
    let store = try provider.open("db", tables: Self.tables)
    try store.write { transaction in
      for (key, value) in content.sorted(by: { $0.key[0] < $1.key[0] }) {
        try transaction.put(Self.records, key, value)
      }
    }
    for number in 0..<UInt8(3 + moreCommits) {
      try store.write { try $0.put(StoreTable(1), [number], [1]) }
    }
    store.close()
    return content
  }

  private func isFound(_ file: [UInt8]) -> Bool {
    file.withUnsafeBytes { file in
      var walk = LMDBPageWalk(file: file)
      do { _ = try walk.run() } catch { return true }
      return false
    }
  }

  /// What is wrong with a database that does not say it is damaged, if anything is.
  private func difference(
    _ provider: LMDBStoreProvider, _ expected: [[UInt8]: [UInt8]]
  ) throws -> String? {
    do {
      let store = try provider.open("db", tables: Self.tables)
      defer { store.close() }
      guard try content(store) == expected else { return "other records" }
      for (key, value) in expected {
        guard try store.read({ try $0.get(Self.records, key) }) == value else {
          return "a record that is not found"
        }
      }
      // The library moves nodes and takes free pages.
      var later = expected
      later[[3, 9]] = nil
      later[[3, 8]] = [UInt8](repeating: 0, count: 2_000)
      try store.write { transaction in
        try transaction.delete(Self.records, [3, 9])
        try transaction.put(Self.records, [3, 8], [UInt8](repeating: 0, count: 2_000))
        try transaction.put(StoreTable(1), [9], [])
      }
      store.close()
      let again = try provider.open("db", tables: Self.tables)
      defer { again.close() }
      return try content(again) == later ? nil : "other records after a write"
    } catch let error as StoreError {
      return error.code == .corrupt || error.code == .incompatible ? nil : "\(error)"
    }
  }

  private func content(_ store: any Store) throws -> [[UInt8]: [UInt8]] {
    var content: [[UInt8]: [UInt8]] = [:]
    try store.read { snapshot in
      try snapshot.scan(Self.records, prefix: [UInt8]().span.bytes, after: nil) { key, value in
        content[key.withUnsafeBytes { [UInt8]($0) }] = value.withUnsafeBytes { [UInt8]($0) }
        return true
      }
    }
    return content
  }
}

/// The places of a sound file that have no checksum: its meta pages, and heads, nodes and lists of the
/// pages of all trees.
private struct FileStructure {
  private let file: [UInt8]
  private(set) var places: [Int] = []

  init(_ file: [UInt8]) {
    self.file = file
    for page in 0..<2 { places += page * pageBytes..<page * pageBytes + 16 + 136 }
    let isSecond = number(16 + 128, 8) < number(pageBytes + 16 + 128, 8)
    let trees = (isSecond ? pageBytes : 0) + 16 + 24
    for tree in 0..<2 { mark(treeAt: trees + tree * 48) }
  }

  var pageBytes: Int { number(40, 4) }
  /// The first page that is not a meta page.
  var treesStart: Int { 2 * pageBytes }

  private func number(_ place: Int, _ byteCount: Int) -> Int {
    (0..<byteCount).reduce(0) { $0 | Int(file[place + $1]) << (8 * $1) }
  }

  private mutating func mark(treeAt place: Int) {
    if number(place + 6, 2) > 0 { mark(page: number(place + 40, 8)) }
  }

  private mutating func mark(page: Int) {
    let start = page * pageBytes
    let (isBranch, lower) = (file[start + 10] == 1, number(start + 12, 2))
    places += start..<start + lower
    for pointer in stride(from: start + 16, to: start + lower, by: 2) {
      let node = start + number(pointer, 2)
      let data = node + 8 + number(node + 6, 2)
      let (dataBytes, flags) = (number(node, 4), file[node + 4])
      places += node..<data
      if isBranch {
        mark(page: dataBytes)
      } else if flags == 1 {
        let overflow = number(data, 8) * pageBytes
        places += Array(data..<data + 8) + Array(overflow..<overflow + 16)
      } else if dataBytes < 200 {
        places += data..<data + dataBytes
        if flags == 2 { mark(treeAt: data) }
      }
    }
  }
}
