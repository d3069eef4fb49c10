/// The slots of a node, for reading and, if nobody else has the node, for changing.
///
/// Valid while the node is: whoever holds these holds the tree. Places are below `width`, and only
/// those slots are initialized.
struct BTreeSlots<T: BTreeElement> {
  typealias Child = BTreeChild<T>

  let header: UnsafeMutablePointer<BTreeNodeHeader>
  let memory: UnsafeMutableRawPointer

  @inline(__always) var height: Int { header.pointee.height }
  @inline(__always) var isLeaf: Bool { header.pointee.height == 0 }
  @inline(__always) var capacity: Int { Int(header.pointee.capacity) }

  @inline(__always) var width: Int {
    get { Int(header.pointee.width) }
    nonmutating set { header.pointee.width = Int32(truncatingIfNeeded: newValue) }
  }

  /// The slots of a leaf.
  @inline(__always) var elements: UnsafeMutablePointer<T> {
    memory.assumingMemoryBound(to: T.self)
  }

  /// The slots of an inner node.
  @inline(__always) var children: UnsafeMutablePointer<Child> {
    memory.assumingMemoryBound(to: Child.self)
  }

  /// The slots of a child.
  @inline(__always)
  func child(_ place: Int) -> BTreeSlots {
    // A child's memory begins with the reference to its node.
    UnsafeRawPointer(children + place).load(as: Unmanaged<BTreeNode<T>>.self)
      ._withUnsafeGuaranteedRef { $0.slots }
  }

  /// The key of the first element; there is one.
  @inline(__always) var firstKey: UnsafeRawPointer {
    isLeaf ? T.key(at: elements) : children.pointee.firstKey
  }

  /// Number of elements below.
  var count: Int {
    isLeaf ? width : (0..<width).reduce(0) { $0 + children[$1].count }
  }

  // MARK: - Searching

  /// The child below which an element is or would be.
  @inline(__always)
  func childPoint(_ isBefore: (UnsafeRawPointer) -> Bool) -> Int {
    Swift.max(Self.partitionPoint(width) { isBefore(children[$0].firstKey) } - 1, 0)
  }

  /// The first element of a leaf that does not fulfil `isBefore`, given that those that do come first.
  @inline(__always)
  func elementPoint(_ isBefore: (UnsafeRawPointer) -> Bool) -> Int {
    Self.partitionPoint(width) { isBefore(T.key(at: elements + $0)) }
  }

  /// The place in a leaf of the element that `order` takes for equal, or where it would be.
  @inline(__always)
  func position(_ order: (UnsafeRawPointer) -> Int) -> (place: Int, isFound: Bool) {
    var (low, high) = (0, width)
    while low < high {
      let middle = (low &+ high) &>> 1
      let found = order(T.key(at: elements + middle))
      if found == 0 { return (middle, true) }
      if found < 0 { low = middle &+ 1 } else { high = middle }
    }
    return (low, false)
  }

  @inline(__always)
  private static func partitionPoint(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low &+ high) &>> 1
      if isBefore(middle) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// The child that has the element at `rank`, and that element's rank below it. The rank after the
  /// last element belongs to the last child.
  func childPlace(of rank: Int) -> (place: Int, rank: Int) {
    var (place, rest) = (0, rank)
    while rest >= children[place].count, place + 1 < width {
      rest -= children[place].count
      place += 1
    }
    return (place, rest)
  }

  // MARK: - Changing

  func insert(_ element: T, at place: Int) { Self.insert(element, elements, header, at: place) }

  func insert(_ child: Child, at place: Int) { Self.insert(child, children, header, at: place) }

  func removeElement(at place: Int) -> T { Self.remove(elements, header, at: place) }

  func removeChild(at place: Int) -> Child { Self.remove(children, header, at: place) }

  /// Moves slots to a node of the same height, which has room for them.
  func move(_ range: Range<Int>, to target: BTreeSlots, at place: Int) {
    if isLeaf {
      Self.move(elements, header, range, target.elements, target.header, at: place)
    } else {
      Self.move(children, header, range, target.children, target.header, at: place)
    }
  }

  /// Copies all slots to an empty node of the same height.
  func copy(to target: BTreeSlots) {
    if isLeaf {
      target.elements.initialize(from: elements, count: width)
    } else {
      target.children.initialize(from: children, count: width)
    }
    target.width = width
  }

  func deinitialize() {
    if isLeaf { elements.deinitialize(count: width) } else { children.deinitialize(count: width) }
  }

  // MARK: -

  private typealias Header = UnsafeMutablePointer<BTreeNodeHeader>

  @inline(__always)
  private static func insert<Slot>(
    _ slot: Slot, _ slots: UnsafeMutablePointer<Slot>, _ header: Header, at place: Int
  ) {
    let width = Int(header.pointee.width)
    (slots + place + 1).moveInitialize(from: slots + place, count: width - place)
    (slots + place).initialize(to: slot)
    header.pointee.width += 1
  }

  @inline(__always)
  private static func remove<Slot>(
    _ slots: UnsafeMutablePointer<Slot>, _ header: Header, at place: Int
  ) -> Slot {
    header.pointee.width -= 1
    let slot = (slots + place).move()
    let width = Int(header.pointee.width)
    (slots + place).moveInitialize(from: slots + place + 1, count: width - place)
    return slot
  }

  private static func move<Slot>(
    _ slots: UnsafeMutablePointer<Slot>, _ header: Header, _ range: Range<Int>,
    _ targets: UnsafeMutablePointer<Slot>, _ targetHeader: Header, at place: Int
  ) {
    let width = Int(header.pointee.width)
    let targetWidth = Int(targetHeader.pointee.width)
    (targets + place + range.count)
      .moveInitialize(from: targets + place, count: targetWidth - place)
    (targets + place).moveInitialize(from: slots + range.lowerBound, count: range.count)
    (slots + range.lowerBound)
      .moveInitialize(from: slots + range.upperBound, count: width - range.upperBound)
    header.pointee.width -= Int32(range.count)
    targetHeader.pointee.width += Int32(range.count)
  }
}
