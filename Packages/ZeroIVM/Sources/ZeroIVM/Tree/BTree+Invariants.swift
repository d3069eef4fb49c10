extension BTree {
  /// What is wrong with the tree, for tests; nil if nothing is.
  /// - Parameter order: the order of the tree.
  func brokenInvariant(order: (Element, Element) -> Int) -> String? {
    var last: Element?
    var leafDepth: Int?
    var total = 0
    func check(_ node: Node, _ depth: Int, isRoot: Bool) -> String? {
      if node.width > Node.maximum { return "a node of \(node.width) is over the maximum" }
      if !isRoot, node.width < Node.minimum {
        return "a node of \(node.width) is under the minimum"
      }
      switch node {
      case .leaf(let items):
        if let leafDepth, leafDepth != depth { return "leaves at depths \(leafDepth) and \(depth)" }
        leafDepth = depth
        total += items.count
        for item in items {
          if let last, order(last, item) >= 0 { return "elements out of order" }
          last = item
        }
      case .inner(let children):
        if isRoot, children.count < 2 { return "an inner root with one child" }
        for child in children {
          if child.count != child.node.count { return "a wrong count" }
          if child.firstKey != child.node.firstKey { return "a wrong first element" }
          if let broken = check(child.node, depth + 1, isRoot: false) { return broken }
        }
      }
      return nil
    }
    if let broken = check(root, 0, isRoot: true) { return broken }
    return total == count ? nil : "counted \(total) elements of \(count)"
  }
}
