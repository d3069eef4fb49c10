/// A queue: elements leave in the order in which they came.
///
/// - Complexity: O(1) amortized for `append` and `popFirst`.
struct FIFO<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: head <= Self.keptCapacity)
      head = 0
    } else if head >= Self.keptCapacity && head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  // MARK: -

  private static var keptCapacity: Int { 64 }
}
