/// Listeners in order of registration.
///
/// One added during a round of calls is called in that round; one removed meanwhile is not.
@MainActor struct ListenerList<Event> {
  private var listeners: [(id: Int, call: @MainActor (Event) -> Void)] = []
  private var lastID = 0

  var isEmpty: Bool { listeners.isEmpty }

  mutating func add(_ listener: @escaping @MainActor (Event) -> Void) -> Int {
    lastID += 1
    listeners.append((lastID, listener))
    return lastID
  }

  mutating func remove(_ id: Int) { listeners.removeAll { $0.id == id } }
  mutating func removeAll() { listeners.removeAll() }

  /// The first listener after `id`.
  /// - Complexity: O(log n)
  func next(after id: Int) -> (id: Int, call: @MainActor (Event) -> Void)? {
    var (low, high) = (0, listeners.count)
    while low < high {
      let middle = low + (high - low) / 2
      if listeners[middle].id > id { high = middle } else { low = middle + 1 }
    }
    return low < listeners.count ? listeners[low] : nil
  }
}

extension ListenerList {
  /// Calls every listener. The list may change on the way, so it is read again for each.
  @MainActor static func call(_ event: Event, of list: () -> ListenerList) {
    var last = 0
    while let (id, listener) = list().next(after: last) {
      last = id
      listener(event)
    }
  }
}
