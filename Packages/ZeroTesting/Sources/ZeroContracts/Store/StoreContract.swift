public import ZeroProtocol

/// The executable definition of `Store` and `StoreProvider`.
///
/// Any backend runs it with a few lines:
///
///     @Test(arguments: StoreContract.cases)
///     func holds(_ rule: StoreContract.Case) throws {
///       try rule.check { folder in MyStoreProvider(directory: folder) }
///     }
///
/// A backend that keeps files also runs ``fileCases``, which need a worker process; see
/// ``StoreWorker``.
public enum StoreContract {
  /// One rule.
  public struct Case: Sendable, CustomStringConvertible {
    /// The rule as a sentence.
    public let name: String
    let body: @Sendable (Subject) throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Subject) throws -> Void) {
      self.name = name
      self.body = body
    }

    public var description: String { name }

    /// Checks the rule on a provider over an empty folder, which is removed afterwards.
    /// - Parameter makeProvider: makes a provider that keeps its files in the given folder, if it has
    ///   files; called more than once.
    /// - Throws: ``StoreContract/Violation`` if the rule does not hold, or what the store threw.
    public func check(_ makeProvider: @Sendable (_ folder: String) throws -> any StoreProvider)
      throws
    {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      do {
        try body(Subject(provider: makeProvider(folder.path)))
      } catch let violation as Violation {
        throw Violation(message: "\(name): \(violation.message)")
      }
    }
  }

  /// A rule that does not hold.
  public struct Violation: Error, CustomStringConvertible {
    /// What was expected, and what was found.
    public let message: String
    public var description: String { message }
  }

  /// What a case works on.
  struct Subject {
    let provider: any StoreProvider

    /// The database most cases use, open with two tables.
    func open(_ name: String = "contract") throws -> any Store {
      try provider.open(name, tables: ["alpha", "beta"])
    }
  }

  /// Every rule that needs nothing but a provider.
  public static var cases: [Case] {
    recordCases + scanCases + transactionCases + concurrencyCases + lifecycleCases + modelCases
  }
}

let alpha = StoreTable(0)
let beta = StoreTable(1)

/// - Throws: a violation with `message` unless `condition` holds.
func require(
  _ condition: Bool, _ message: @autoclosure () -> String
) throws(StoreContract.Violation) {
  if !condition { throw StoreContract.Violation(message: message()) }
}

/// Runs `body`, which must throw a `StoreError` with `code`, and returns that error.
@discardableResult
func requireError(
  _ code: StoreError.Code, _ what: String, _ body: () throws -> Void
) throws -> StoreError {
  do { try body() } catch let error as StoreError {
    try require(error.code == code, "\(what) threw \(error) instead of \(code)")
    return error
  }
  throw StoreContract.Violation(message: "\(what) threw nothing instead of \(code)")
}

extension StoreSnapshot {
  /// All pairs of a scan, copied.
  func pairs(
    _ table: StoreTable, prefix: [UInt8] = [], after: [UInt8]? = nil
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    var pairs: [(key: [UInt8], value: [UInt8])] = []
    try scan(table, prefix: prefix, after: after) { key, value in
      pairs.append((key.withUnsafeBytes { Array($0) }, value.withUnsafeBytes { Array($0) }))
      return true
    }
    return pairs
  }

  func keys(
    _ table: StoreTable, prefix: [UInt8] = [], after: [UInt8]? = nil
  ) throws -> [[UInt8]] {
    try pairs(table, prefix: prefix, after: after).map { $0.key }
  }
}

extension Store {
  /// One value, read in a snapshot of its own.
  func value(_ table: StoreTable, _ key: [UInt8]) throws -> [UInt8]? {
    try read { try $0.get(table, key) }
  }

  func set(_ table: StoreTable, _ key: [UInt8], _ value: [UInt8]) throws {
    try write { try $0.put(table, key, value) }
  }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
