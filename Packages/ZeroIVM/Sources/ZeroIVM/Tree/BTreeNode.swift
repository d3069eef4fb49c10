struct BTreeNodeHeader {
  /// Slots in use.
  var width: Int32
  let capacity: Int32
  /// Levels below the node.
  let height: Int
}

/// A node of a ``BTree``: a header and, in the same heap block, slots with the prefixes of elements,
/// and the elements or, above the leaves, children.
///
/// It is read and changed through its ``BTreeSlots``, which count no references: searches and changes
/// in place would otherwise spend most of their time on counting.
final class BTreeNode<T: BTreeElement>: ManagedBuffer<BTreeNodeHeader, UInt> {
  typealias Child = BTreeChild<T>
  typealias Slots = BTreeSlots<T>

  /// Most elements of a leaf and children of an inner node.
  static var maximum: Int { T.nodeWidth }
  /// Fewest, save in the root.
  static var minimum: Int { T.nodeWidth / 4 }
  /// What two neighbours have together when they are joined. It leaves room, so that no change of one
  /// element can make the tree join nodes and cut them over and over.
  static var joined: Int { T.nodeWidth * 3 / 4 }

  /// An empty node.
  static func make(height: Int, capacity: Int) -> BTreeNode {
    let stride = height == 0 ? MemoryLayout<T>.stride : MemoryLayout<Child>.stride
    let bytes = capacity * (MemoryLayout<OrderPrefix>.stride + stride)
    let words = (bytes + MemoryLayout<UInt>.size - 1) / MemoryLayout<UInt>.size
    let buffer = create(minimumCapacity: words) { _ in
      BTreeNodeHeader(width: 0, capacity: Int32(capacity), height: height)
    }
    return unsafeDowncast(buffer, to: BTreeNode.self)
  }

  deinit { slots.deinitialize() }

  /// Valid while the node is. Whoever drops the last reference to it after using these extends its
  /// lifetime: the compiler does not know that they belong to it.
  @inline(__always) var slots: Slots {
    withUnsafeMutablePointers { Slots(header: $0, memory: UnsafeMutableRawPointer($1)) }
  }

  /// `count` things cut into nodes of nearly equal size, none over the maximum.
  static func evenRanges(_ count: Int) -> [Range<Int>] {
    let pieces = (count + maximum - 1) / maximum
    return (0..<pieces).map { count * $0 / pieces..<count * ($0 + 1) / pieces }
  }

  /// Room for `width` slots and some more, in which a node grows.
  static func capacity(for width: Int) -> Int {
    // One over the maximum, since a node is cut after it took the element that was too much.
    max(width, min(max(4, width * 3 / 2), maximum + 1))
  }

  /// The node for changing: copied if somebody else has it, moved if it lacks room.
  @inline(__always)
  static func own(_ node: inout BTreeNode, room: Int = 0) -> Slots {
    let slots = node.slots
    if isKnownUniquelyReferenced(&node), slots.width + room <= slots.capacity { return slots }
    return replace(&node, room: room)
  }

  @inline(never)
  private static func replace(_ node: inout BTreeNode, room: Int) -> Slots {
    let isOnlyReference = isKnownUniquelyReferenced(&node)
    let old = node
    let new = withExtendedLifetime(old) {
      let width = old.slots.width
      let new = make(
        height: old.slots.height, capacity: room > 0 ? capacity(for: width + room) : width)
      if isOnlyReference {
        old.slots.move(0..<width, to: new.slots, at: 0)
      } else {
        old.slots.copy(to: new.slots)
      }
      return new
    }
    node = new
    return new.slots
  }
}

/// A node with what its parent knows of it.
///
/// The key of the first element is that of an element below the node, which keeps it valid. Copying an
/// inner node so counts one reference per child and touches no element.
struct BTreeChild<T: BTreeElement> {
  /// The first thing in memory, see `BTreeSlots.child`.
  var node: BTreeNode<T>
  var firstKey: UnsafeRawPointer
  var count: Int

  /// - Parameter node: has elements.
  init(_ node: BTreeNode<T>) {
    self.node = node
    firstKey = node.slots.firstKey
    count = node.slots.count
  }
}
