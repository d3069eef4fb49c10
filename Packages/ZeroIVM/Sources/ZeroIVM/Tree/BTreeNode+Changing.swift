// A path that leads out of a node is a mistake of the engine's: `BTree` checks it.

extension BTreeNode {
  /// Inserts an element. Returns the new right neighbour if the node had to be cut.
  static func insert(
    _ element: T, _ prefix: OrderPrefix, _ path: BTreePath, _ depth: Int,
    into node: inout BTreeNode
  ) -> Child? {
    var slots = node.slots
    let place = path[depth]
    if slots.isLeaf {
      slots = own(&node, room: 1)
      precondition(place <= slots.width, "a path of another tree")
      slots.insert(element, prefix, at: place)
    } else {
      slots = own(&node)
      precondition(place < slots.width, "a path of another tree")
      let split = insert(element, prefix, path, depth + 1, into: &slots.children[place].node)
      slots.refreshFirst(of: place)
      slots.children[place].count += 1
      guard let split else { return nil }
      slots.children[place].count -= split.count
      slots = own(&node, room: 1)
      slots.insert(split, at: place + 1)
    }
    let width = slots.width
    guard width > maximum else { return nil }
    // Rows that arrive in order leave well filled nodes behind.
    let cut = place + 2 >= width ? width - minimum : width / 2
    let right = make(height: slots.height, capacity: capacity(for: width - cut))
    slots.move(cut..<width, to: right.slots, at: 0)
    return Child(right)
  }

  static func remove(_ path: BTreePath, _ depth: Int, from node: inout BTreeNode) -> T {
    let slots = own(&node)
    let place = path[depth]
    precondition(place < slots.width, "a path of another tree")
    if slots.isLeaf { return slots.removeElement(at: place) }
    let element = remove(path, depth + 1, from: &slots.children[place].node)
    slots.children[place].count -= 1
    if slots.child(place).width < minimum {
      refill(slots, place)
    } else {
      slots.refreshFirst(of: place)
    }
    return element
  }

  /// Where the element is that a path leads to, for changing it in place. `refreshFirsts` follows.
  static func own(
    _ path: BTreePath, in node: inout BTreeNode
  ) -> UnsafeMutablePointer<T> {
    var slots = own(&node)
    for depth in 0..<path.count - 1 {
      precondition(path[depth] < slots.width, "a path of another tree")
      slots = own(&slots.children[path[depth]].node)
    }
    let place = path[path.count - 1]
    precondition(slots.isLeaf && place < slots.width, "a path of another tree")
    return slots.elements + place
  }

  /// Brings up to date what the nodes on a path know of the first elements below their children.
  static func refreshFirsts(_ path: BTreePath, _ depth: Int, _ slots: Slots) {
    if slots.isLeaf { return }
    refreshFirsts(path, depth + 1, slots.child(path[depth]))
    slots.refreshFirst(of: path[depth])
  }

  // MARK: -

  /// Joins the child at `place`, which has become too small, with a neighbour, or takes from the
  /// neighbour if both are too large for one node with room.
  private static func refill(_ slots: Slots, _ place: Int) {
    let left = place > 0 ? place - 1 : place
    guard left + 1 < slots.width else { return }
    let (a, b) = (slots.children + left, slots.children + left + 1)
    let (widthA, widthB) = (a.pointee.node.slots.width, b.pointee.node.slots.width)
    let total = widthA + widthB
    let moved = total <= joined ? widthB : total / 2 - widthA
    let slotsA = own(&a.pointee.node, room: max(moved, 0))
    let slotsB = own(&b.pointee.node, room: max(-moved, 0))
    if moved > 0 {
      slotsB.move(0..<moved, to: slotsA, at: widthA)
    } else {
      slotsA.move(widthA + moved..<widthA, to: slotsB, at: 0)
    }
    a.pointee.count = slotsA.count
    b.pointee.count = slotsB.count
    slots.refreshFirst(of: left)
    if slotsB.width == 0 {
      _ = slots.removeChild(at: left + 1)
    } else {
      slots.refreshFirst(of: left + 1)
    }
  }
}
