/// Definitions of queries or mutators in nested namespaces, as an app declares them in JavaScript
/// and as names on the wire lead to them.
public struct DefinitionTree<Definition: Sendable>: Sendable {
  /// What a name leads to.
  public enum Entry: Sendable {
    case definition(Definition)
    /// Only the beginning of names.
    case namespace
  }

  private indirect enum Node: Sendable {
    case definition(Definition)
    case namespace([UTF8Key: Node])
  }

  private var root: [UTF8Key: Node] = [:]

  public init() {}

  /// Adds a definition at the end of `path`, instead of what was there: a definition on the way
  /// gives way to a namespace, as when JavaScript objects are merged.
  public mutating func add(_ definition: Definition, at path: [String]) {
    root = Self.adding(definition, at: path[...], to: root)
  }

  /// What `path` leads to; nil if nothing.
  /// - Complexity: O(length of the path)
  public func find(_ path: [String]) -> Entry? {
    var node = Node.namespace(root)
    for part in path {
      guard case .namespace(let members) = node, let member = members[UTF8Key(part)] else {
        return nil
      }
      node = member
    }
    return switch node {
    case .definition(let definition): .definition(definition)
    case .namespace: .namespace
    }
  }

  // MARK: -

  private static func adding(
    _ definition: Definition, at path: ArraySlice<String>, to members: [UTF8Key: Node]
  ) -> [UTF8Key: Node] {
    guard let first = path.first else { return members }
    var members = members
    let key = UTF8Key(first)
    if path.count == 1 {
      members[key] = .definition(definition)
    } else {
      var inner: [UTF8Key: Node] = [:]
      if case .namespace(let found)? = members[key] { inner = found }
      members[key] = .namespace(adding(definition, at: path.dropFirst(), to: inner))
    }
    return members
  }
}

extension DefinitionName {
  /// The path that the name of a query stands for: parts are separated by points, or by bars in
  /// names that old servers wrote.
  public static func queryPath(_ name: String) -> [String] {
    split(name) { $0 == "." || $0 == "|" }
  }

  /// The path that the name of a mutator stands for: parts are separated by points.
  public static func mutatorPath(_ name: String) -> [String] { split(name) { $0 == "." } }

  private static func split(
    _ name: String, at isSeparator: (Unicode.Scalar) -> Bool
  ) -> [String] {
    name.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: isSeparator)
      .map { String($0) }
  }
}
