public import ZeroIVM

/// The states of a view, one after the other; see ``MaterializedView/snapshots``.
///
/// Reading them does not keep the view alive. One reader per sequence.
public struct ViewSnapshots<Output: QueryOutput>: AsyncSequence, Sendable {
  private let view: WeakView
  private let signals: AsyncStream<Void>

  fileprivate final class WeakView: Sendable {
    @MainActor weak var view: MaterializedView<Output>?
    @MainActor init(_ view: MaterializedView<Output>) { self.view = view }
  }

  @MainActor init(view: MaterializedView<Output>, signals: AsyncStream<Void>) {
    self.view = WeakView(view)
    self.signals = signals
  }

  /// Reads from the present state on.
  public func makeAsyncIterator() -> Iterator {
    Iterator(view: view, signals: signals.makeAsyncIterator())
  }

  /// A reader of the states.
  public struct Iterator: AsyncIteratorProtocol {
    private let view: WeakView
    private var signals: AsyncStream<Void>.AsyncIterator
    private var last: EntryList?

    fileprivate init(view: WeakView, signals: AsyncStream<Void>.AsyncIterator) {
      self.view = view
      self.signals = signals
    }

    /// The next state, or nil when the view has ended.
    public mutating func next() async -> ViewSnapshot<Output>? {
      guard await signals.next() != nil else { return nil }
      let (view, last) = (view, last)
      guard let read = await Self.read(view, last) else { return nil }
      self.last = read.list
      return read.snapshot
    }

    @MainActor private static func read(
      _ view: WeakView, _ last: EntryList?
    ) -> (snapshot: ViewSnapshot<Output>, list: EntryList)? {
      guard let view = view.view else { return nil }
      return (view.snapshot(after: last), view.entries)
    }
  }
}
