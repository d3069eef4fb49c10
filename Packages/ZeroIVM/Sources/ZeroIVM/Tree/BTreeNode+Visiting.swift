extension BTreeNode {
  func ascend(_ body: (Element) -> Bool) -> Bool {
    switch self {
    case .leaf(let items):
      return items.withUnsafeBufferPointer { items in
        for i in items.indices where !body(items[i]) { return false }
        return true
      }
    case .inner(let children):
      for child in children where !child.node.ascend(body) { return false }
      return true
    }
  }

  func ascend(
    from isBefore: (UnsafeRawPointer) -> Bool, _ body: (Element) -> Bool
  ) -> Bool {
    switch self {
    case .leaf(let items):
      let start = items.partitionPoint(isBefore)
      return items.withUnsafeBufferPointer { items in
        for i in start..<items.count where !body(items[i]) { return false }
        return true
      }
    case .inner(let children):
      let start = Swift.max(children.childPoint(isBefore) - 1, 0)
      guard children[start].node.ascend(from: isBefore, body) else { return false }
      for i in start + 1..<children.count where !children[i].node.ascend(body) { return false }
      return true
    }
  }

  func ascend(fromRank rank: Int, _ body: (Element) -> Bool) -> Bool {
    switch self {
    case .leaf(let items):
      for i in rank..<items.count where !body(items[i]) { return false }
      return true
    case .inner(let children):
      let (start, offset) = children.place(of: rank)
      guard children[start].node.ascend(fromRank: offset, body) else { return false }
      for i in start + 1..<children.count where !children[i].node.ascend(body) { return false }
      return true
    }
  }

  func descend(_ body: (Element) -> Bool) -> Bool {
    switch self {
    case .leaf(let items):
      return items.withUnsafeBufferPointer { items in
        var i = items.count
        while i > 0 {
          i -= 1
          if !body(items[i]) { return false }
        }
        return true
      }
    case .inner(let children):
      var i = children.count
      while i > 0 {
        i -= 1
        if !children[i].node.descend(body) { return false }
      }
      return true
    }
  }

  func descend(
    from isBefore: (UnsafeRawPointer) -> Bool, _ body: (Element) -> Bool
  ) -> Bool {
    switch self {
    case .leaf(let items):
      var i = items.partitionPoint(isBefore)
      return items.withUnsafeBufferPointer { items in
        while i > 0 {
          i -= 1
          if !body(items[i]) { return false }
        }
        return true
      }
    case .inner(let children):
      var i = children.childPoint(isBefore)
      guard i > 0 else { return true }
      i -= 1
      guard children[i].node.descend(from: isBefore, body) else { return false }
      while i > 0 {
        i -= 1
        if !children[i].node.descend(body) { return false }
      }
      return true
    }
  }
}
