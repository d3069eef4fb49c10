public import ZeroClient
public import ZeroProtocol

/// An app's named queries by name, as a server has them; for tests and the development server.
/// Clients need none.
public struct QueryRegistry<Context>: Sendable {
  /// The full names, in the order of the definitions.
  public private(set) var names: [String] = []
  private var tree = DefinitionTree<any AnyQueryDefinition<Context>>()

  /// Of definitions with one name the last counts, so that a test can override some.
  public init(_ queries: [any AnyQueryDefinition<Context>]) {
    for query in queries { add(query) }
  }

  /// Adds a definition, instead of the one that has its name.
  public mutating func add(_ query: any AnyQueryDefinition<Context>) {
    let path = DefinitionName.queryPath(query.name)
    tree.add(query, at: path)
    names = names.filter { name in
      // A namespace and a query cannot share a name: what was overridden is gone.
      if case .definition(let found)? = tree.find(DefinitionName.queryPath(name)) {
        found.name.utf8.elementsEqual(name.utf8) && !name.utf8.elementsEqual(query.name.utf8)
      } else {
        false
      }
    }
    names.append(query.name)
  }

  /// The definition of a name, whose parts are separated by points or by bars; nil if there is
  /// none.
  public subscript(name: String) -> (any AnyQueryDefinition<Context>)? {
    guard case .definition(let query)? = tree.find(DefinitionName.queryPath(name)) else {
      return nil
    }
    return query
  }

  /// The query of a name for arguments as they travel; nil for a call without arguments.
  /// - Throws: ``UnknownQueryError``, an error of decoding the arguments, or what the definition
  ///   throws.
  public func query(_ name: String, _ args: JSONValue?, _ context: Context) throws -> NamedQuery {
    guard let definition = self[name] else { throw UnknownQueryError(name: name) }
    return try definition.query(args, context)
  }
}

/// A registry has no query of a name.
public struct UnknownQueryError: ApplicationErrorSource, CustomStringConvertible {
  /// The name that was asked for.
  public let name: String
  public var description: String { "Query not found: \(name)" }
  public var applicationMessage: String { description }
}
