public import ZeroProtocol

/// What a query gives: a list of structs, or one that may be missing.
public protocol QueryOutput<Element>: Sendable {
  associatedtype Element: ZeroTable

  /// The result for these rows, of which there is at most one where `Self` holds one.
  static func make(from rows: [Element]) -> Self

  /// The rows of a result.
  static func rows(of output: Self) -> [Element]
}

extension QueryOutput {
  /// Reads the structs of a result.
  /// - Throws: the first row that cannot be read.
  /// - Complexity: O(rows, with those nested in them)
  @inlinable public init(decoding data: ViewData) throws(RowDecodingError) {
    let entries = data.entries
    var rows: [Element] = []
    rows.reserveCapacity(entries.count)
    for entry in entries { rows.append(try Element(RowReader(entry, Element.table))) }
    self = Self.make(from: rows)
  }
}

extension Array: QueryOutput where Element: ZeroTable {
  /// The rows themselves.
  @inlinable public static func make(from rows: [Element]) -> [Element] { rows }

  /// The rows themselves.
  @inlinable public static func rows(of output: [Element]) -> [Element] { output }
}

extension Optional: QueryOutput where Wrapped: ZeroTable {
  /// The first row, if there is one.
  @inlinable public static func make(from rows: [Wrapped]) -> Wrapped? { rows.first }

  /// The row, if there is one.
  @inlinable public static func rows(of output: Wrapped?) -> [Wrapped] { output.map { [$0] } ?? [] }
}

extension ViewData {
  /// The rows as structs, with the related rows that were asked for.
  /// - Throws: the first row that cannot be read.
  public func rows<T: ZeroTable>(as _: T.Type = T.self) throws(RowDecodingError) -> [T] {
    try [T](decoding: self)
  }
}
