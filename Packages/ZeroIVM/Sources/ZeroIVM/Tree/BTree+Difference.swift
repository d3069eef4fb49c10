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
    while a.depth > b.depth { a = a.expanded }
    while b.depth > a.depth { b = b.expanded }
    Self.compare(a, b, body)
  }

  // MARK: -

  /// Neighbouring nodes of one depth, each with the place of its first element.
  private struct Pieces {
    var nodes: [(node: Node, start: Int)] = []

    init(_ node: Node) { nodes = [(node, 0)] }

    init(_ nodes: some Sequence<(node: Node, start: Int)>) { self.nodes = Array(nodes) }

    var isEmpty: Bool { nodes.isEmpty }

    var isLeaves: Bool {
      if case .inner? = nodes.first?.node { false } else { true }
    }

    var depth: Int {
      var depth = 0
      var node = nodes.first?.node
      while case .inner(let children)? = node {
        depth += 1
        node = children[0].node
      }
      return depth
    }

    /// The children of the nodes.
    var expanded: Pieces {
      var below: [(node: Node, start: Int)] = []
      for (node, start) in nodes {
        guard case .inner(let children) = node else { continue }
        var start = start
        for child in children {
          below.append((child.node, start))
          start += child.count
        }
      }
      return Pieces(below)
    }

    /// The elements of leaves.
    var run: Run {
      var elements: ContiguousArray<Element> = []
      for case (.leaf(let items), _) in nodes { elements += items }
      return Run(start: nodes.first?.start ?? 0, elements: elements)
    }
  }

  private static func compare(
    _ a: Pieces, _ b: Pieces, _ body: (_ old: Run, _ new: Run) -> Void
  ) {
    // Nodes that both have cut the lists into gaps, which are looked into.
    var places: [UnsafeRawPointer: Int] = [:]
    for (place, piece) in b.nodes.enumerated() {
      if let address = piece.node.address { places[address] = place }
    }
    var (gapA, gapB) = (0, 0)
    for (place, piece) in a.nodes.enumerated() {
      guard let address = piece.node.address, let match = places[address], match >= gapB else {
        continue
      }
      compareGap(Pieces(a.nodes[gapA..<place]), Pieces(b.nodes[gapB..<match]), body)
      (gapA, gapB) = (place + 1, match + 1)
    }
    compareGap(Pieces(a.nodes[gapA...]), Pieces(b.nodes[gapB...]), body)
  }

  private static func compareGap(
    _ a: Pieces, _ b: Pieces, _ body: (_ old: Run, _ new: Run) -> Void
  ) {
    if a.isEmpty && b.isEmpty { return }
    if a.isLeaves && b.isLeaves {
      body(a.run, b.run)
    } else {
      compare(a.expanded, b.expanded, body)
    }
  }
}
