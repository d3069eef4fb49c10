import Synchronization

/// The committed tables of one database, by name.
final class MemoryDatabase: Sendable {
  let name: String
  private let state = Mutex(State())

  private struct State {
    var tables: [String: ByteTree] = [:]
    var isHeld = false
  }

  init(_ name: String) { self.name = name }

  /// What tells databases apart: the bytes of the name, as `String` equality is wider.
  static func key(_ name: String) -> String {
    String(String.UnicodeScalarView(name.utf8.map { Unicode.Scalar($0) }))
  }

  /// Takes the database for one store; false if one has it.
  func claim() -> Bool {
    state.withLock { state in
      if state.isHeld { return false }
      state.isHeld = true
      return true
    }
  }

  func release() { state.withLock { $0.isHeld = false } }

  /// The tables in the order of `names`; those that do not exist are empty.
  func tables(_ names: [String]) -> [ByteTree] {
    state.withLock { state in names.map { state.tables[$0] ?? ByteTree() } }
  }

  /// Keeps tables for a later open.
  func keep(_ tables: [ByteTree], as names: [String]) {
    state.withLock { state in
      for (name, table) in zip(names, tables) { state.tables[name] = table }
    }
  }
}
