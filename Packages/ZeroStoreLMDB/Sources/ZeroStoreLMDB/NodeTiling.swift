/// Tells whether the nodes of a page fill its end without gaps or overlaps, as the library takes for
/// granted when it moves them.
struct NodeTiling {
  // Sums of the lengths that are still to be filled and of the differences of the squares of their ends.
  // No wrong place and no wrong length of one node leaves both as they are.
  private var length: Int
  private var squares: Int

  init(from start: Int, to end: Int) {
    length = end - start
    squares = end * end - start * start
  }

  /// Nodes begin at even places.
  mutating func add(_ start: Int, _ byteCount: Int) {
    let end = start + byteCount + byteCount % 2
    length -= end - start
    squares -= end * end - start * start
  }

  var isWhole: Bool { length == 0 && squares == 0 }
}
