import ZeroIVM
import ZeroProtocol

/// The structs of a view's rows, decoded once per change.
@MainActor struct DecodedRows<Output: QueryOutput> {
  /// Why the rows cannot be read.
  private(set) var error: RowDecodingError?
  private var source: EntryList?
  private var rows: [Output.Element] = []
  private var output = Output.make(from: [])

  /// The result for `data`; where a row cannot be read, the last result that could.
  mutating func output(of data: ViewData) -> Output {
    let list = data.entries
    if let source, source.isIdentical(to: list) {
      error = nil
      return output
    }
    do {
      rows = try decoded(list)
      source = list
      output = Output.make(from: rows)
      error = nil
    } catch {
      self.error = error
    }
    return output
  }

  // MARK: -

  private func decoded(_ list: EntryList) throws(RowDecodingError) -> [Output.Element] {
    guard let source else { return try list.map(Self.decode) }
    var isGone = Set<Int>()
    var isNew = Set<Int>()
    for change in list.changes(from: source).changes {
      switch change {
      case .removed(let old): isGone.insert(old)
      case .inserted(let new): isNew.insert(new)
      case .changed(let old, let new):
        isGone.insert(old)
        isNew.insert(new)
      }
    }
    var result: [Output.Element] = []
    result.reserveCapacity(list.count)
    var kept = rows.indices.lazy.filter { !isGone.contains($0) }.makeIterator()
    for place in 0..<list.count {
      if !isNew.contains(place), let old = kept.next() {
        result.append(rows[old])
      } else {
        result.append(try Self.decode(list[place]))
      }
    }
    return result
  }

  private static func decode(_ entry: Entry) throws(RowDecodingError) -> Output.Element {
    try Output.Element(RowReader(entry, Output.Element.table))
  }
}
