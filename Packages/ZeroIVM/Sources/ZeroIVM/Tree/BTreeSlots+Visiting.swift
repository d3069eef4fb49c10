extension BTreeSlots {
  func ascend(_ body: (UnsafePointer<T>) -> Bool) -> Bool {
    if isLeaf { return ascend(elementsFrom: 0, body) }
    for place in 0..<width where !child(place).ascend(body) { return false }
    return true
  }

  func ascend(from target: some BTreeTarget, _ body: (UnsafePointer<T>) -> Bool) -> Bool {
    if isLeaf {
      return ascend(elementsFrom: elementPlace(behind: target, withEqual: false), body)
    }
    let start = childPlace(of: target, withEqual: false)
    guard child(start).ascend(from: target, body) else { return false }
    for place in start + 1..<width where !child(place).ascend(body) { return false }
    return true
  }

  func descend(_ body: (UnsafePointer<T>) -> Bool) -> Bool {
    if isLeaf { return descend(elementsBelow: width, body) }
    for place in (0..<width).reversed() where !child(place).descend(body) { return false }
    return true
  }

  func descend(from target: some BTreeTarget, _ body: (UnsafePointer<T>) -> Bool) -> Bool {
    if isLeaf {
      return descend(elementsBelow: elementPlace(behind: target, withEqual: true), body)
    }
    let start = childPlace(of: target, withEqual: true)
    guard child(start).descend(from: target, body) else { return false }
    for place in (0..<start).reversed() where !child(place).descend(body) { return false }
    return true
  }

  // MARK: -

  @inline(__always)
  private func ascend(elementsFrom start: Int, _ body: (UnsafePointer<T>) -> Bool) -> Bool {
    let width = width
    var place = start
    while place < width {
      if !body(elements + place) { return false }
      place &+= 1
    }
    return true
  }

  @inline(__always)
  private func descend(elementsBelow end: Int, _ body: (UnsafePointer<T>) -> Bool) -> Bool {
    var place = end
    while place > 0 {
      place &-= 1
      if !body(elements + place) { return false }
    }
    return true
  }
}
