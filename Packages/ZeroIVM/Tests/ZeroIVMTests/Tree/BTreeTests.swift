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

extension OrderPrefix {
  /// Decides about some numbers and leaves others to the comparison of keys.
  fileprivate init(_ value: Int) { self.init(bits: 2 << 61 | UInt64(value / 4)) }
}

private struct NumberTarget: BTreeTarget {
  let value: Int

  init(_ value: Int) { self.value = value }

  var prefix: OrderPrefix { OrderPrefix(value) }

  func order(of key: UnsafeRawPointer) -> Int { Int(key: key) - value }
}

extension BTree<Int> {
  fileprivate init(sorted elements: ContiguousArray<Int>) {
    self.init(sorted: elements) { OrderPrefix(Int(key: $0)) }
  }
}

/// An element that is counted while it lives, in nodes as narrow as those of views.
private struct Tracked: BTreeElement {
  final class Census { var living = 0 }

  final class Number {
    let value: Int
    private let census: Census

    init(_ value: Int, _ census: Census) {
      self.value = value
      self.census = census
      census.living += 1
    }

    deinit { census.living -= 1 }
  }

  let number: Number

  static var nodeWidth: Int { 16 }

  var key: UnsafeRawPointer { number.value.key }

  static func key(at place: UnsafePointer<Tracked>) -> UnsafeRawPointer { place.pointee.key }
}

@Suite("B-tree")
struct BTreeTests {
  private static func broken(_ tree: BTree<Int>) -> String? {
    tree.brokenInvariant(order: { $0 - $1 }, prefix: { OrderPrefix($0) })
  }

  private static func elements(_ tree: BTree<Int>) -> [Int] {
    var elements: [Int] = []
    _ = tree.ascend {
      elements.append($0.pointee)
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
      let (path, isFound) = tree.search(NumberTarget(value))
      let place = model.firstIndex { $0 >= value } ?? model.count
      guard isFound == (place < model.count && model[place] == value),
        !isFound || (tree[path] == value && tree.path(to: place) == path)
      else {
        Testing.Issue.record("seed \(seed), step \(step): \(value) found at \(path)")
        return
      }
      // It grows for a while, then shrinks, several times.
      let isGrowing = step % 2000 < 1200
      if isFound, random.chance(isGrowing ? 1 : 4, of: 4) {
        tree.remove(at: path)
        model.remove(at: place)
      } else if !isFound, isGrowing {
        tree.insert(value, OrderPrefix(value), at: path)
        model.insert(value, at: place)
      }
      if step % 16 == 0, let broken = Self.broken(tree) {
        Testing.Issue.record("seed \(seed), step \(step): \(broken)")
        return
      }
    }
    #expect(Self.elements(tree) == model)
    while tree.count > 0 { tree.remove(at: tree.path(to: random.below(tree.count))) }
    #expect(Self.broken(tree) == nil)
  }

  @Test("walks start at a bound in both directions and stop when told")
  func walks() {
    let all = (0..<1000).map { $0 * 2 }
    let tree = BTree(sorted: ContiguousArray(all))
    for bound in [0, 1, 500, 777, 1998, 2000] {
      var up: [Int] = []
      let isFinished = tree.ascend(from: NumberTarget(bound)) {
        up.append($0.pointee)
        return up.count < 3
      }
      let expected = all.filter { $0 >= bound }
      #expect(up == Array(expected.prefix(3)))
      #expect(isFinished == (expected.count < 3))
      var down: [Int] = []
      _ = tree.descend(from: NumberTarget(bound)) {
        down.append($0.pointee)
        return true
      }
      #expect(down == all.filter { $0 <= bound }.reversed())
    }
  }

  @Test("a copy keeps its elements while the other changes, and shares most nodes")
  func copies() {
    let all = (0..<100_000).map { $0 * 2 }
    let old = BTree(sorted: ContiguousArray(all))
    var new = old
    new.insert(10_001, OrderPrefix(10_001), at: new.path(to: 5001))
    new.remove(at: new.path(to: 70_000))
    #expect(Self.elements(old) == all)
    #expect(Self.broken(new) == nil)
    var seen = 0
    new.forEachDifference(from: old) { a, b in seen += a.elements.count + b.elements.count }
    #expect(seen > 0 && seen < 1000)
  }

  @Test("copies change apart, and no element is lost or kept", arguments: [7, 8, 9])
  func forks(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let census = Tracked.Census()
    var forks: [(tree: BTree<Tracked>, model: [Int])] = [(BTree(), [])]
    for step in 0..<4000 {
      let fork = random.below(forks.count)
      if random.chance(1, of: 60) {
        forks.append(forks[fork])
        if forks.count > 6 { forks.remove(at: random.below(forks.count)) }
        continue
      }
      let value = random.below(1500)
      let (path, isFound) = forks[fork].tree.search(NumberTarget(value))
      let place = forks[fork].model.firstIndex { $0 >= value } ?? forks[fork].model.count
      if !isFound {
        forks[fork].tree.insert(
          Tracked(number: Tracked.Number(value, census)), OrderPrefix(value), at: path)
        forks[fork].model.insert(value, at: place)
      } else if random.chance(step % 2000 < 1000 ? 1 : 3, of: 4) {
        let removed = forks[fork].tree.remove(at: path)
        #expect(removed.number.value == forks[fork].model.remove(at: place), "seed \(seed)")
      } else {
        forks[fork].tree.update(at: path) { $0 = Tracked(number: Tracked.Number(value, census)) }
      }
      guard step % 40 == 0 else { continue }
      for (tree, model) in forks {
        var leaves = BTreeLeaves(tree, 0..<tree.count)
        var values: [Int] = []
        while let element = leaves.next() { values.append(element.number.value) }
        let broken = tree.brokenInvariant(
          order: { $0.number.value - $1.number.value }, prefix: { OrderPrefix($0.number.value) })
        guard broken == nil, values == model else {
          Testing.Issue.record("seed \(seed), step \(step): \(broken ?? "wrong elements")")
          return
        }
      }
    }
    forks.removeAll()
    #expect(census.living == 0, "seed \(seed)")
  }

  @Test("adding and removing one element over and over does not cut and join nodes each time")
  func thrashing() {
    var tree = BTree(sorted: ContiguousArray(0..<640))
    var changes = 0
    for value in 1000..<1100 {
      let before = tree.root?.slots.width
      tree.insert(value, OrderPrefix(value), at: tree.search(NumberTarget(value)).path)
      let between = tree.root?.slots.width
      tree.remove(at: tree.search(NumberTarget(value)).path)
      changes += (before == between ? 0 : 1) + (between == tree.root?.slots.width ? 0 : 1)
    }
    #expect(changes < 4)
    #expect(Self.broken(tree) == nil)
  }

  @Test("the difference of two trees covers every change", arguments: [4, 5, 6])
  func differences(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var tree = BTree(sorted: ContiguousArray((0..<3000).map { $0 * 3 }))
    for _ in 0..<30 {
      let old = tree
      for _ in 0..<random.below(40) {
        let value = random.below(10_000)
        let (path, isFound) = tree.search(NumberTarget(value))
        if isFound {
          tree.remove(at: path)
        } else {
          tree.insert(value, OrderPrefix(value), at: path)
        }
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
