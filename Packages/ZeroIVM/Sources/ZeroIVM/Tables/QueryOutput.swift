/// What a query gives: a list of structs, or one that may be missing.
public protocol QueryOutput: Sendable {
  /// Reads the structs of a result.
  /// - Throws: the first row that cannot be read.
  /// - Complexity: O(rows, with those nested in them)
  init(decoding data: ViewData) throws(RowDecodingError)
}

extension Array: QueryOutput where Element: ZeroTable {
  public init(decoding data: ViewData) throws(RowDecodingError) {
    let entries = data.entries
    self.init()
    reserveCapacity(entries.count)
    for entry in entries { append(try Element(RowReader(entry, Element.table))) }
  }
}

extension Optional: QueryOutput where Wrapped: ZeroTable {
  public init(decoding data: ViewData) throws(RowDecodingError) {
    switch data {
    case .one(let entry?): self = try Wrapped(RowReader(entry, Wrapped.table))
    case .one(nil): self = nil
    case .many(let entries):
      self = try entries.first.map { (entry) throws(RowDecodingError) in
        try Wrapped(RowReader(entry, Wrapped.table))
      }
    }
  }
}
