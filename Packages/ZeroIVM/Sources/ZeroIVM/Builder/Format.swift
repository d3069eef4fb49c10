/// The shape of a query's result: one row or a list, and the same for each nested relationship.
///
/// Relationships that a format does not name are left out of the result.
public struct Format: Sendable {
  /// Whether the result is one row, or none, instead of a list.
  public var singular: Bool
  /// Nested results by relationship name, in the order they were asked for.
  public private(set) var relationships: [(name: String, format: Format)]

  /// A format; `relationships` have distinct names.
  public init(singular: Bool = false, relationships: [(name: String, format: Format)] = []) {
    self.singular = singular
    self.relationships = relationships
  }

  /// The format of a relationship. Setting one that exists replaces it in its place.
  public subscript(relationship: String) -> Format? {
    get { position(of: relationship).map { relationships[$0].format } }
    set {
      switch (position(of: relationship), newValue) {
      case (let place?, let format?): relationships[place].format = format
      case (let place?, nil): relationships.remove(at: place)
      case (nil, let format?): relationships.append((relationship, format))
      case (nil, nil): break
      }
    }
  }

  // MARK: -

  private func position(of relationship: String) -> Int? {
    relationships.firstIndex { $0.name.utf8.elementsEqual(relationship.utf8) }
  }
}

extension Format: Equatable {
  /// The same relationships with equal formats, in any order.
  public static func == (a: Format, b: Format) -> Bool {
    a.singular == b.singular && a.relationships.count == b.relationships.count
      && a.relationships.allSatisfy { b[$0.name] == $0.format }
  }
}
