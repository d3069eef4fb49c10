import CZeroSQLite
import Synchronization
import ZeroProtocol
import ZeroStoreCore

/// The connections of one open store: the writing one, and reading ones that are made as needed.
final class SQLiteConnections: Sendable {
  private struct State {
    var writer: SQLiteConnection?
    var idleReaders: [SQLiteConnection] = []
  }

  private let database: String
  private let state: Mutex<State>
  private let makeReader: @Sendable () throws(StoreError) -> SQLiteConnection

  private static let maxIdleReaders = 4

  init(
    database: String, writer: SQLiteConnection,
    makeReader: @escaping @Sendable () throws(StoreError) -> SQLiteConnection
  ) {
    self.database = database
    self.makeReader = makeReader
    state = Mutex(State(writer: writer))
  }

  /// The writing connection. The store's gate admits one user at a time.
  func writer() throws(StoreError) -> SQLiteConnection {
    if let writer = state.withLock({ $0.writer }) { return writer }
    throw StoreError(.closed, database: database, message: "the store was closed")
  }

  /// A reading connection, the caller's until it is given back.
  func takeReader() throws(StoreError) -> SQLiteConnection {
    if let idle = state.withLock({ $0.idleReaders.popLast() }) { return idle }
    return try makeReader()
  }

  func giveBack(_ reader: SQLiteConnection) {
    state.withLock {
      if $0.idleReaders.count < Self.maxIdleReaders { $0.idleReaders.append(reader) }
    }
  }

  /// Closes the reading connections first: the last one to close moves the log into the data file.
  func close() {
    state.withLock { state in
      state.idleReaders.removeAll()
      state.writer = nil
    }
  }
}
