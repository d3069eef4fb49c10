extension BTree {
  /// What is wrong with the tree, for tests; nil if nothing is.
  /// - Parameter order: the order of the tree.
  /// - Parameter prefix: the prefix of an element in it.
  func brokenInvariant(
    order: (Element, Element) -> Int, prefix: (Element) -> OrderPrefix
  ) -> String? {
    var last: Element?
    var total = 0
    func check(_ node: Node, isRoot: Bool) -> String? {
      let slots = node.slots
      if slots.width > slots.capacity { return "a node of \(slots.width) is over its capacity" }
      if slots.width > Node.maximum { return "a node of \(slots.width) is over the maximum" }
      if !isRoot, slots.width < Node.minimum {
        return "a node of \(slots.width) is under the minimum"
      }
      if slots.isLeaf {
        total += slots.width
        for place in 0..<slots.width {
          let element = slots.elements[place]
          if let last, order(last, element) >= 0 { return "elements out of order" }
          if slots.prefixes[place] != prefix(element) { return "a wrong prefix of an element" }
          last = element
        }
        return nil
      }
      if isRoot, slots.width < 2 { return "an inner root with one child" }
      for place in 0..<slots.width {
        let child = slots.children[place]
        let below = child.node.slots
        if below.height != slots.height - 1 { return "leaves at different depths" }
        if child.count != below.count { return "a wrong count" }
        if child.firstKey != below.firstKey { return "a wrong first element" }
        if slots.prefixes[place] != below.prefixes.pointee { return "a wrong prefix" }
        if let broken = check(child.node, isRoot: false) { return broken }
      }
      return nil
    }
    if let root, let broken = check(root, isRoot: true) { return broken }
    return total == count ? nil : "counted \(total) elements of \(count)"
  }
}
