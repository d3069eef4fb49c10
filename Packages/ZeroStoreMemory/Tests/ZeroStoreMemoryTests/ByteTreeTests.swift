import Testing

@testable import ZeroStoreMemory

@Suite struct ByteTreeTests {
  @Test("copies of a tree do not see each other's changes, through splits and merges")
  func copies() {
    var tree = ByteTree()
    for number in 0..<5_000 { tree.put(key(number).span.bytes, key(number).span.bytes) }
    let full = tree
    for number in stride(from: 0, to: 5_000, by: 2) { tree.delete(key(number).span.bytes) }
    let half = tree
    tree.delete(from: key(1_000), to: key(4_000))
    #expect(keys(full) == (0..<5_000).map(key))
    #expect(keys(half) == stride(from: 1, to: 5_000, by: 2).map(key))
    #expect(
      keys(tree) == stride(from: 1, to: 5_000, by: 2).filter { $0 < 1_000 || $0 >= 4_000 }.map(key))
    for tree in [full, half, tree] { #expect(tree.checkInvariants()) }
  }

  @Test("a range delete leaves exactly the rest", arguments: [1, 40, 64, 65, 200, 5_000])
  func ranges(count: Int) {
    var full = ByteTree()
    for number in (0..<count).reversed() { full.put(key(number).span.bytes, [UInt8]().span.bytes) }
    for (low, high) in [(0, count), (0, 1), (count / 3, count / 2), (count - 1, count)] {
      var tree = full
      tree.delete(from: key(low), to: key(high))
      #expect(
        keys(tree) == (0..<count).filter { $0 < low || $0 >= high }.map(key), "\(low)-\(high)")
      #expect(tree.checkInvariants(), "\(low)-\(high)")
      tree.put(key(low).span.bytes, ([1] as [UInt8]).span.bytes)
      #expect(tree.checkInvariants(), "\(low)-\(high), refilled")
    }
    #expect(keys(full).count == count)
  }

  private func key(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }

  private func keys(_ tree: ByteTree) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    tree.scan(from: [], to: nil) { key, _ in
      keys.append(key.withUnsafeBytes { Array($0) })
      return true
    }
    return keys
  }
}
