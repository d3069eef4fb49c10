public import ZeroProtocol

/// What one or more pokes bring, in the client's terms.
///
/// A `clear` wipes everything, so that only what follows the last one is kept here.
@_spi(Engine) public struct PokeContents: Sendable {
  /// A change of a set of query hashes.
  public enum HashOperation: Sendable, Equatable {
    case put(String)
    case delete(String)

    var hash: String {
      switch self {
      case .put(let hash), .delete(let hash): hash
      }
    }
  }

  /// A change of the results that the server keeps for a client's mutations.
  public enum ResultOperation: Sendable, Equatable {
    case put(MutationResponse)
    case delete(MutationID)
  }

  public internal(set) var baseCookie: String?
  public internal(set) var cookie: String
  /// Whether everything the client has is to go first.
  public internal(set) var isCleared = false
  /// Whether any part had row operations, also ones that are skipped.
  public internal(set) var hasRows = false
  /// By client ID.
  public internal(set) var lastMutationIDs: [UTF8Key: Int] = [:]
  /// By client ID, changes to the queries that the server takes that client to want.
  public internal(set) var desired: [(client: String, operation: HashOperation)] = []
  public internal(set) var got: [HashOperation] = []
  /// By place of the table in the schema.
  public internal(set) var rows: [[RowOperation]]
  public internal(set) var results: [ResultOperation] = []

  init(baseCookie: String?, cookie: String, tableCount: Int) {
    self.baseCookie = baseCookie
    self.cookie = cookie
    rows = Array(repeating: [], count: tableCount)
  }

  /// Whether nothing but the cookie is new.
  public var isEmpty: Bool {
    !isCleared && lastMutationIDs.isEmpty && desired.isEmpty && got.isEmpty && results.isEmpty
      && rows.allSatisfy(\.isEmpty)
  }

  mutating func clear() {
    isCleared = true
    desired.removeAll()
    got.removeAll()
    results.removeAll()
    for table in rows.indices { rows[table].removeAll() }
  }

  /// Takes in the poke that follows.
  /// - Throws: ``PokeError/gap(after:base:)`` if a poke in between is missing.
  mutating func append(_ next: PokeContents) throws(PokeError) {
    if let base = next.baseCookie, TextOrder.utf16(base, cookie) > 0 {
      throw .gap(after: cookie, base: base)
    }
    cookie = next.cookie
    merge(next)
  }

  /// Takes in what follows in the same poke.
  mutating func merge(_ next: PokeContents) {
    if next.isCleared { clear() }
    hasRows = hasRows || next.hasRows
    lastMutationIDs.merge(next.lastMutationIDs) { $1 }
    desired.append(contentsOf: next.desired)
    got.append(contentsOf: next.got)
    results.append(contentsOf: next.results)
    for table in rows.indices {
      if rows[table].isEmpty {
        rows[table] = next.rows[table]
      } else {
        rows[table].append(contentsOf: next.rows[table])
      }
    }
  }
}

/// What can be wrong with a poke, apart from its base cookie.
@_spi(Engine) public enum PokeError: Error, CustomStringConvertible {
  case unexpected(String)
  case badChunks(any Error)
  case gap(after: String, base: String)
  case badRow(table: String, any Error)
  case goesBack(String)
  /// More than the limits allow.
  case tooMuch(String)

  public var description: String {
    switch self {
    case .unexpected(let what): what
    case .badChunks(let error): "the chunks of a poke are no list of parts: \(error)"
    case .gap(let cookie, let base): "a poke is missing between cookies \(cookie) and \(base)"
    case .badRow(let table, let error): "a row operation on table \"\(table)\": \(error)"
    case .goesBack(let what): "a poke goes back: \(what)"
    case .tooMuch(let what): what
    }
  }
}
