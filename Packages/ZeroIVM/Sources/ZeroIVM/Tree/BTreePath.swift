/// The way from the root of a ``BTree`` to a place in a leaf: which child to take on each level, and
/// then which element. It leads there until the tree is changed.
struct BTreePath: Equatable {
  // The narrowest nodes but the root have four slots, so 16 levels are more than memory holds.
  private var steps = SIMD16<UInt8>()
  private(set) var count = 0

  subscript(depth: Int) -> Int { Int(steps[depth]) }

  @inline(__always)
  mutating func append(_ step: Int) {
    steps[count] = UInt8(truncatingIfNeeded: step)
    count &+= 1
  }
}
