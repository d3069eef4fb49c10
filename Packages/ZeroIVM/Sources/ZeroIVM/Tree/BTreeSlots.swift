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

  /// The prefix of each slot: of the element, or of the first element below the child.
  @inline(__always) var prefixes: UnsafeMutablePointer<OrderPrefix> {
    memory.assumingMemoryBound(to: OrderPrefix.self)
  }

  /// What is in the slots of a leaf.
  @inline(__always) var elements: UnsafeMutablePointer<T> {
    (memory + capacity * MemoryLayout<OrderPrefix>.stride).assumingMemoryBound(to: T.self)
  }

  /// What is in the slots of an inner node.
  @inline(__always) var children: UnsafeMutablePointer<Child> {
    (memory + capacity * MemoryLayout<OrderPrefix>.stride).assumingMemoryBound(to: Child.self)
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

  /// The last child whose first element comes before the target, or at it if `withEqual`; the first
  /// child if there is none.
  @inline(__always)
  func childPlace(of target: some BTreeTarget, withEqual: Bool) -> Int {
    let (prefixes, children, prefix) = (prefixes, children, target.prefix)
    var (low, high) = (0, width)
    while low < high {
      let middle = (low &+ high) &>> 1
      var order = OrderPrefix.order(prefixes[middle], prefix)
      if order == 0 { order = target.order(of: children[middle].firstKey) }
      if withEqual ? order <= 0 : order < 0 { low = middle &+ 1 } else { high = middle }
    }
    return Swift.max(low - 1, 0)
  }

  /// The first element of a leaf that comes at the target or behind it; only behind it if `withEqual`.
  @inline(__always)
  func elementPlace(behind target: some BTreeTarget, withEqual: Bool) -> Int {
    let (prefixes, elements, prefix) = (prefixes, elements, target.prefix)
    var (low, high) = (0, width)
    while low < high {
      let middle = (low &+ high) &>> 1
      var order = OrderPrefix.order(prefixes[middle], prefix)
      if order == 0 { order = target.order(of: T.key(at: elements + middle)) }
      if withEqual ? order <= 0 : order < 0 { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// The place in a leaf of the element at the target, or where it would be.
  @inline(__always)
  func place(of target: some BTreeTarget) -> (place: Int, isFound: Bool) {
    let (prefixes, elements, prefix) = (prefixes, elements, target.prefix)
    var (low, high) = (0, width)
    while low < high {
      let middle = (low &+ high) &>> 1
      var order = OrderPrefix.order(prefixes[middle], prefix)
      if order == 0 {
        order = target.order(of: T.key(at: elements + middle))
        if order == 0 { return (middle, true) }
      }
      if order < 0 { low = middle &+ 1 } else { high = middle }
    }
    return (low, false)
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

  func insert(_ element: T, _ prefix: OrderPrefix, at place: Int) {
    let width = width
    Self.insert(prefix, prefixes, width, at: place)
    Self.insert(element, elements, width, at: place)
    self.width = width + 1
  }

  /// Takes elements into a leaf that has room for them.
  @inline(__always)
  func append(
    _ slice: Slice<UnsafeBufferPointer<T>>, _ prefix: (UnsafeRawPointer) -> OrderPrefix
  ) {
    let (width, end) = (width, elements + width)
    _ = UnsafeMutableBufferPointer(start: end, count: slice.count).initialize(from: slice)
    for place in 0..<slice.count { prefixes[width + place] = prefix(T.key(at: end + place)) }
    self.width = width + slice.count
  }

  /// Takes an element into a leaf that has room for it.
  @inline(__always)
  func append(_ element: T, _ prefix: OrderPrefix) {
    let width = width
    (prefixes + width).initialize(to: prefix)
    (elements + width).initialize(to: element)
    self.width = width + 1
  }

  func insert(_ child: Child, at place: Int) {
    let width = width
    Self.insert(child.node.slots.prefixes.pointee, prefixes, width, at: place)
    Self.insert(child, children, width, at: place)
    self.width = width + 1
  }

  func removeElement(at place: Int) -> T {
    let width = width
    self.width = width - 1
    _ = Self.remove(prefixes, width, at: place)
    return Self.remove(elements, width, at: place)
  }

  func removeChild(at place: Int) -> Child {
    let width = width
    self.width = width - 1
    _ = Self.remove(prefixes, width, at: place)
    return Self.remove(children, width, at: place)
  }

  /// Brings up to date what this node knows of the first element below a child.
  func refreshFirst(of place: Int) {
    let below = child(place)
    children[place].firstKey = below.firstKey
    prefixes[place] = below.prefixes.pointee
  }

  /// Moves slots to a node of the same height, which has room for them.
  func move(_ range: Range<Int>, to target: BTreeSlots, at place: Int) {
    let (width, targetWidth) = (width, target.width)
    Self.move(prefixes, width, range, target.prefixes, targetWidth, at: place)
    if isLeaf {
      Self.move(elements, width, range, target.elements, targetWidth, at: place)
    } else {
      Self.move(children, width, range, target.children, targetWidth, at: place)
    }
    self.width = width - range.count
    target.width = targetWidth + range.count
  }

  /// Copies all slots to an empty node of the same height.
  func copy(to target: BTreeSlots) {
    target.prefixes.initialize(from: prefixes, count: width)
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

  @inline(__always)
  private static func insert<Slot>(
    _ slot: Slot, _ slots: UnsafeMutablePointer<Slot>, _ width: Int, at place: Int
  ) {
    (slots + place + 1).moveInitialize(from: slots + place, count: width - place)
    (slots + place).initialize(to: slot)
  }

  @inline(__always)
  private static func remove<Slot>(
    _ slots: UnsafeMutablePointer<Slot>, _ width: Int, at place: Int
  ) -> Slot {
    let slot = (slots + place).move()
    (slots + place).moveInitialize(from: slots + place + 1, count: width - place - 1)
    return slot
  }

  private static func move<Slot>(
    _ slots: UnsafeMutablePointer<Slot>, _ width: Int, _ range: Range<Int>,
    _ targets: UnsafeMutablePointer<Slot>, _ targetWidth: Int, at place: Int
  ) {
    (targets + place + range.count)
      .moveInitialize(from: targets + place, count: targetWidth - place)
    (targets + place).moveInitialize(from: slots + range.lowerBound, count: range.count)
    (slots + range.lowerBound)
      .moveInitialize(from: slots + range.upperBound, count: width - range.upperBound)
  }
}
