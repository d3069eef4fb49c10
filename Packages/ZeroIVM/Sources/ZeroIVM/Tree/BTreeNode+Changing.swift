// A node takes its array out of itself before changing it, so that the array has no second owner
// and is changed in place if no copy of the tree shares it.

extension BTreeNode {
  /// Inserts an element. Returns the new right neighbour if the node had to be cut.
  mutating func insert(_ element: Element, at rank: Int) -> BTreeChild<Element>? {
    switch self {
    case .leaf(var items):
      self = .leaf([])
      items.insert(element, at: rank)
      guard items.count > Self.maximum else {
        self = .leaf(items)
        return nil
      }
      // Rows that arrive in order leave full leaves behind.
      let cut =
        rank == items.count - 1 ? items.count - Self.minimum : items.count / 2
      let right = ContiguousArray(items[cut...])
      items.removeSubrange(cut...)
      self = .leaf(items)
      return BTreeChild(.leaf(right))
    case .inner(var children):
      self = .leaf([])
      let (place, offset) = children.place(of: rank)
      let split = children[place].node.insert(element, at: offset)
      if offset == 0 { children[place].firstKey = children[place].node.firstKey }
      guard let split else {
        children[place].count += 1
        self = .inner(children)
        return nil
      }
      children[place].count += 1 - split.count
      children.insert(split, at: place + 1)
      guard children.count > Self.maximum else {
        self = .inner(children)
        return nil
      }
      let cut =
        place + 1 == children.count - 1 ? children.count - Self.minimum : children.count / 2
      let right = ContiguousArray(children[cut...])
      children.removeSubrange(cut...)
      self = .inner(children)
      return BTreeChild(right)
    }
  }

  mutating func remove(at rank: Int) -> Element {
    switch self {
    case .leaf(var items):
      self = .leaf([])
      let element = items.remove(at: rank)
      self = .leaf(items)
      return element
    case .inner(var children):
      self = .leaf([])
      let (place, offset) = children.place(of: rank)
      let element = children[place].node.remove(at: offset)
      children[place].count -= 1
      if children[place].node.width < Self.minimum {
        Self.refill(&children, place)
      } else if offset == 0 {
        children[place].firstKey = children[place].node.firstKey
      }
      self = .inner(children)
      return element
    }
  }

  mutating func update(at rank: Int, _ body: (inout Element) -> Void) {
    switch self {
    case .leaf(var items):
      self = .leaf([])
      body(&items[rank])
      self = .leaf(items)
    case .inner(var children):
      self = .leaf([])
      let (place, offset) = children.place(of: rank)
      children[place].node.update(at: offset, body)
      if offset == 0 { children[place].firstKey = children[place].node.firstKey }
      self = .inner(children)
    }
  }

  // MARK: -

  /// Joins the child at `place`, which has become too small, with a neighbour, and cuts the result
  /// in two if it is too large for one node.
  private static func refill(_ children: inout ContiguousArray<BTreeChild<Element>>, _ place: Int) {
    let left = place > 0 ? place - 1 : place
    guard left + 1 < children.count else { return }
    switch (children[left].node, children[left + 1].node) {
    case (.leaf(let a), .leaf(let b)):
      let all = a + b
      if all.count <= maximum {
        children[left] = BTreeChild(.leaf(all))
        children.remove(at: left + 1)
      } else {
        let cut = all.count / 2
        children[left] = BTreeChild(.leaf(ContiguousArray(all[..<cut])))
        children[left + 1] = BTreeChild(.leaf(ContiguousArray(all[cut...])))
      }
    case (.inner(let a), .inner(let b)):
      let all = a + b
      if all.count <= maximum {
        children[left] = BTreeChild(all)
        children.remove(at: left + 1)
      } else {
        let cut = all.count / 2
        children[left] = BTreeChild(ContiguousArray(all[..<cut]))
        children[left + 1] = BTreeChild(ContiguousArray(all[cut...]))
      }
    default: preconditionFailure("leaves of one tree are equally deep")
    }
  }
}
