extension BTree {
  /// A run of elements of a tree, from a place on.
  struct Run {
    let start: Int
    let elements: ContiguousArray<Element>
  }

  /// Calls `body` with pairs of runs outside which this tree and `other` have the same elements in
  /// the same nodes.
  /// - Complexity: O(d log n) if d elements were changed one after the other since one tree was a
  ///   copy of the other; O(n) at most.
  func forEachDifference(from other: BTree, _ body: (_ old: Run, _ new: Run) -> Void) {
    var (a, b) = (Pieces(other.root), Pieces(root))
    while a.height > b.height { a = a.expanded }
    while b.height > a.height { b = b.expanded }
    Self.compare(a, b, body)
  }

  // MARK: -

  /// Neighbouring nodes of one depth, each with the place of its first element.
  private struct Pieces {
    var nodes: [(node: Node, start: Int)] = []

    init(_ root: Node?) { nodes = root.map { [($0, 0)] } ?? [] }

    init(_ nodes: some Sequence<(node: Node, start: Int)>) { self.nodes = Array(nodes) }

    var isEmpty: Bool { nodes.isEmpty }

    var height: Int { nodes.first?.node.slots.height ?? 0 }

    /// The children of the nodes.
    var expanded: Pieces {
      var below: [(node: Node, start: Int)] = []
      for (node, start) in nodes {
        var start = start
        withExtendedLifetime(node) {
          for place in 0..<node.slots.width {
            let child = node.slots.children[place]
            below.append((child.node, start))
            start += child.count
          }
        }
      }
      return Pieces(below)
    }

    /// The elements of leaves.
    var run: Run {
      var elements: ContiguousArray<Element> = []
      for (node, _) in nodes {
        withExtendedLifetime(node) {
          elements += UnsafeBufferPointer(start: node.slots.elements, count: node.slots.width)
        }
      }
      return Run(start: nodes.first?.start ?? 0, elements: elements)
    }
  }

  private static func compare(
    _ a: Pieces, _ b: Pieces, _ body: (_ old: Run, _ new: Run) -> Void
  ) {
    // Nodes that both have cut the lists into gaps, which are looked into.
    var places: [ObjectIdentifier: Int] = [:]
    for (place, piece) in b.nodes.enumerated() { places[ObjectIdentifier(piece.node)] = place }
    var (gapA, gapB) = (0, 0)
    for (place, piece) in a.nodes.enumerated() {
      guard let match = places[ObjectIdentifier(piece.node)], match >= gapB else { continue }
      compareGap(Pieces(a.nodes[gapA..<place]), Pieces(b.nodes[gapB..<match]), body)
      (gapA, gapB) = (place + 1, match + 1)
    }
    compareGap(Pieces(a.nodes[gapA...]), Pieces(b.nodes[gapB...]), body)
  }

  private static func compareGap(
    _ a: Pieces, _ b: Pieces, _ body: (_ old: Run, _ new: Run) -> Void
  ) {
    if a.isEmpty && b.isEmpty { return }
    if a.height == 0 && b.height == 0 {
      body(a.run, b.run)
    } else {
      compare(a.expanded, b.expanded, body)
    }
  }
}
