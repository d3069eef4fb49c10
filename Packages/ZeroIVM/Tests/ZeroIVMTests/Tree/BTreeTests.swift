import Testing

@testable import ZeroIVM

extension Int: BTreeElement {
  static var nodeWidth: Int { 64 }

  /// Numbers are their own keys, as addresses that nobody reads.
  var key: UnsafeRawPointer {
    UnsafeRawPointer(bitPattern: self + 1).unsafelyUnwrapped
  }

  init(key: UnsafeRawPointer) { self = Int(bitPattern: key) - 1 }

  static func key(at place: UnsafePointer<Int>) -> UnsafeRawPointer { place.pointee.key }
}

@Suite("B-tree")
struct BTreeTests {
  private static func broken(_ tree: BTree<Int>) -> String? {
    tree.brokenInvariant { $0 - $1 }
  }

  private static func elements(_ tree: BTree<Int>) -> [Int] {
    var elements: [Int] = []
    _ = tree.ascend {
      elements.append($0)
      return true
    }
    return elements
  }

  @Test(
    "a tree built from sorted elements has them in order",
    arguments: [0, 1, 63, 64, 65, 129, 4096, 4097, 70_000])
  func bulk(count: Int) {
    let tree = BTree(sorted: ContiguousArray(0..<count))
    #expect(Self.broken(tree) == nil)
    #expect(Self.elements(tree) == Array(0..<count))
    if count > 0 { #expect(tree[count / 2] == count / 2) }
  }

  @Test("random changes leave the tree and a sorted array the same", arguments: [1, 2, 3])
  func model(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var tree = BTree<Int>()
    var model: [Int] = []
    for step in 0..<6000 {
      let value = random.below(2000)
      let (place, isFound) = tree.search { Int(key: $0) - value }
      let expected = model.firstIndex { $0 >= value } ?? model.count
      guard place == expected, isFound == (place < model.count && model[place] == value) else {
        Testing.Issue.record("seed \(seed), step \(step): \(value) found at \(place)")
        return
      }
      // It grows for a while, then shrinks, several times.
      let isGrowing = step % 2000 < 1200
      if isFound, random.chance(isGrowing ? 1 : 4, of: 4) {
        tree.remove(at: place)
        model.remove(at: place)
      } else if !isFound, isGrowing {
        tree.insert(value, at: place)
        model.insert(value, at: place)
      }
      if step % 16 == 0, let broken = Self.broken(tree) {
        Testing.Issue.record("seed \(seed), step \(step): \(broken)")
        return
      }
    }
    #expect(Self.elements(tree) == model)
    while tree.count > 0 { tree.remove(at: random.below(tree.count)) }
    #expect(Self.broken(tree) == nil)
  }

  @Test("walks start at a bound in both directions and stop when told")
  func walks() {
    let all = (0..<1000).map { $0 * 2 }
    let tree = BTree(sorted: ContiguousArray(all))
    for bound in [0, 1, 500, 777, 1998, 2000] {
      var up: [Int] = []
      let isFinished = tree.ascend(from: { Int(key: $0) < bound }) {
        up.append($0)
        return up.count < 3
      }
      let expected = all.filter { $0 >= bound }
      #expect(up == Array(expected.prefix(3)))
      #expect(isFinished == (expected.count < 3))
      var down: [Int] = []
      _ = tree.descend(from: { Int(key: $0) < bound }) {
        down.append($0)
        return true
      }
      #expect(down == all.filter { $0 < bound }.reversed())
    }
  }

  @Test("a copy keeps its elements while the other changes, and shares most nodes")
  func copies() {
    let all = (0..<100_000).map { $0 * 2 }
    let old = BTree(sorted: ContiguousArray(all))
    var new = old
    new.insert(10_001, at: 5001)
    new.remove(at: 70_000)
    #expect(Self.elements(old) == all)
    #expect(Self.broken(new) == nil)
    var seen = 0
    new.forEachDifference(from: old) { a, b in seen += a.elements.count + b.elements.count }
    #expect(seen > 0 && seen < 1000)
  }

  @Test("the difference of two trees covers every change", arguments: [4, 5, 6])
  func differences(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var tree = BTree(sorted: ContiguousArray((0..<3000).map { $0 * 3 }))
    for _ in 0..<30 {
      let old = tree
      for _ in 0..<random.below(40) {
        let value = random.below(10_000)
        let (place, isFound) = tree.search { Int(key: $0) - value }
        if isFound { tree.remove(at: place) } else { tree.insert(value, at: place) }
      }
      var (removed, inserted) = (Set<Int>(), Set<Int>())
      tree.forEachDifference(from: old) { a, b in
        for (offset, value) in a.elements.enumerated() {
          #expect(old[a.start + offset] == value)
          removed.insert(value)
        }
        for (offset, value) in b.elements.enumerated() {
          #expect(tree[b.start + offset] == value)
          inserted.insert(value)
        }
      }
      let (before, after) = (Set(Self.elements(old)), Set(Self.elements(tree)))
      #expect(removed.subtracting(inserted) == before.subtracting(after), "seed \(seed)")
      #expect(inserted.subtracting(removed) == after.subtracting(before), "seed \(seed)")
    }
  }
}
