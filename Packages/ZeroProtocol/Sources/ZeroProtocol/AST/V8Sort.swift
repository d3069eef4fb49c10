extension Array {
  /// Sorts as V8's `Array.prototype.sort` does, whose result for a comparison that is no consistent
  /// order depends on which pairs it asks for: a run of the start, then binary insertion; from 64
  /// elements on, runs that are merged (without V8's galloping, so that an inconsistent comparison
  /// may give another order there; a consistent one cannot tell the difference).
  ///
  /// - Parameter precedes: whether the first has to stand before the second.
  /// - Complexity: O(n log n) comparisons.
  mutating func sortAsV8<E: Error>(
    by precedes: (Element, Element) throws(E) -> Bool
  ) throws(E) {
    guard count > 1 else { return }
    let minimum = Self.minimumRun(count)
    var runs: [Range<Int>] = []
    var start = 0
    while start < count {
      var end = try countRun(from: start, by: precedes)
      let forced = Swift.min(start + minimum, count)
      if end < forced {
        try insertAll(start..<forced, sorted: end, by: precedes)
        end = forced
      }
      runs.append(start..<end)
      try collapse(&runs, by: precedes)
      start = end
    }
    while runs.count > 1 {
      var place = runs.count - 2
      if place > 0, runs[place - 1].count < runs[place + 1].count { place -= 1 }
      try merge(&runs, at: place, by: precedes)
    }
  }

  // MARK: -

  /// The length that short runs are brought to: all of fewer than 64 elements.
  private static func minimumRun(_ count: Int) -> Int {
    var rest = count
    var isOdd = 0
    while rest >= 64 {
      isOdd |= rest & 1
      rest >>= 1
    }
    return rest + isOdd
  }

  /// The end of the run that starts at `start`, which never descends; one that strictly descends is
  /// turned round.
  private mutating func countRun<E: Error>(
    from start: Int, by precedes: (Element, Element) throws(E) -> Bool
  ) throws(E) -> Int {
    var end = start + 1
    guard end < count else { return end }
    let descends = try precedes(self[end], self[end - 1])
    end += 1
    while end < count, try precedes(self[end], self[end - 1]) == descends { end += 1 }
    if descends { self[start..<end].reverse() }
    return end
  }

  private mutating func insertAll<E: Error>(
    _ range: Range<Int>, sorted: Int, by precedes: (Element, Element) throws(E) -> Bool
  ) throws(E) {
    for place in sorted..<range.upperBound {
      let element = self[place]
      var low = range.lowerBound
      var high = place
      while low < high {
        let middle = low + (high - low) / 2
        if try precedes(element, self[middle]) { high = middle } else { low = middle + 1 }
      }
      var to = place
      while to > low {
        self[to] = self[to - 1]
        to -= 1
      }
      self[low] = element
    }
  }

  /// Merges until the lengths of the runs fall fast enough from bottom to top.
  private mutating func collapse<E: Error>(
    _ runs: inout [Range<Int>], by precedes: (Element, Element) throws(E) -> Bool
  ) throws(E) {
    while runs.count > 1 {
      var place = runs.count - 2
      let breaksAtTop =
        place > 0 && runs[place - 1].count <= runs[place].count + runs[place + 1].count
      let breaksBelow =
        place > 1 && runs[place - 2].count <= runs[place - 1].count + runs[place].count
      if breaksAtTop || breaksBelow {
        if runs[place - 1].count < runs[place + 1].count { place -= 1 }
      } else if runs[place].count > runs[place + 1].count {
        return
      }
      try merge(&runs, at: place, by: precedes)
    }
  }

  private mutating func merge<E: Error>(
    _ runs: inout [Range<Int>], at place: Int, by precedes: (Element, Element) throws(E) -> Bool
  ) throws(E) {
    let (left, right) = (runs[place], runs[place + 1])
    let before = Array(self[left])
    var (from, next, to) = (0, right.lowerBound, left.lowerBound)
    while from < before.count, next < right.upperBound {
      if try precedes(self[next], before[from]) {
        self[to] = self[next]
        next += 1
      } else {
        self[to] = before[from]
        from += 1
      }
      to += 1
    }
    while from < before.count {
      self[to] = before[from]
      from += 1
      to += 1
    }
    runs[place] = left.lowerBound..<right.upperBound
    runs.remove(at: place + 1)
  }
}
