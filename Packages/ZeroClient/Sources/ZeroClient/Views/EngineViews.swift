/// The live views of a client, in order of materialization.
@MainActor struct EngineViews {
  private struct Weak { weak var view: EngineView? }
  private var entries: [Int: Weak] = [:]
  private var last = 0

  /// - Complexity: O(n log n)
  var all: [EngineView] { entries.sorted { $0.key < $1.key }.compactMap(\.value.view) }

  /// - Returns: what to remove the view by.
  mutating func add(_ view: EngineView) -> Int {
    last += 1
    entries[last] = Weak(view: view)
    return last
  }

  mutating func remove(_ number: Int) { entries[number] = nil }
}
