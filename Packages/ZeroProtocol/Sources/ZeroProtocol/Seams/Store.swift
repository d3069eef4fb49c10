/// An ordered, transactional byte map with a small fixed set of named tables: where a client keeps
/// its rows, cookies and pending mutations.
///
/// The client calls a store from one serial background executor, never from the main actor. Every
/// operation blocks until it is done. A store may be called from any thread: one writer at a time,
/// any number of readers, and readers never wait for the writer nor the writer for readers.
///
/// Keys are non-empty byte strings ordered by unsigned bytes; values are any bytes, also none.
/// `StoreContract` in ZeroTesting is the executable definition of this protocol.
public protocol Store: Sendable {
  /// What survives which failure once `write` has returned.
  var durability: StoreDurability { get }

  /// The longest key this store takes, in bytes; at least 511.
  var maxKeyBytes: Int { get }

  /// Runs `body` on a snapshot that stays the same for the whole closure whatever is written
  /// meanwhile.
  ///
  /// The snapshot and all bytes it lends are valid inside the closure only; a snapshot used after it
  /// throws ``StoreError`` with code `closed`. Reading inside a read or a write is allowed and gives a
  /// snapshot of what is committed.
  /// - Throws: ``StoreError``, or what `body` throws.
  func read<Result>(_ body: (any StoreSnapshot) throws -> Result) throws -> Result

  /// Runs `body` as one atomic transaction: when it returns, everything it wrote is committed; when
  /// it or the commit throws, nothing happened.
  ///
  /// Writing inside a write on the same store is a programming error and throws ``StoreError`` with
  /// code `misuse` instead of deadlocking.
  /// - Throws: ``StoreError``, or what `body` throws.
  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result

  /// Returns when all that was committed before the call is on stable storage.
  /// - Throws: ``StoreError`` with code `io`, `full` or `closed`.
  func sync() throws(StoreError)

  /// Waits for running closures, then releases files and locks. Closing twice does nothing; any
  /// later use throws ``StoreError`` with code `closed`. Called inside a closure of this store it
  /// returns at once, and the store closes when its last closure ends.
  func close()
}

/// A consistent view of a store during one `read` or `write` closure.
public protocol StoreSnapshot: AnyObject {
  /// Calls `body` with the value of `key`, or with nil if there is none. The bytes are lent for the
  /// call.
  /// - Throws: ``StoreError``, or what `body` throws.
  func get<Result>(
    _ table: StoreTable, _ key: RawSpan, _ body: (RawSpan?) throws -> Result
  ) throws -> Result

  /// Calls `body` for each pair whose key starts with `prefix`, in ascending key order, beginning
  /// after `after` if it is given (which need not exist), until `body` returns false.
  ///
  /// Key and value are lent for the call: nothing is copied or allocated per pair. An empty prefix
  /// scans the whole table.
  /// - Throws: ``StoreError``, or what `body` throws.
  func scan(
    _ table: StoreTable, prefix: RawSpan, after: RawSpan?,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws
}

/// The open write transaction of a store. Reads see its own writes.
///
/// Changing anything while this transaction lends bytes, that is inside the closure of `get` or
/// `scan`, throws ``StoreError`` with code `misuse`: collect the keys first. After `full`, `io` or
/// `corrupt` the transaction can only fail, even if `body` swallows the error; after `misuse` or
/// `tooLarge` nothing has changed and it can go on.
public protocol StoreTransaction: StoreSnapshot {
  /// Sets the value of `key`, replacing what was there.
  /// - Throws: ``StoreError``: `tooLarge` for a key over `maxKeyBytes` or a value over the store's
  ///   limit (at least 64 MiB), `misuse` for an empty key, `full`, `io`.
  func put(_ table: StoreTable, _ key: RawSpan, _ value: RawSpan) throws(StoreError)

  /// Removes `key`; a missing key is fine.
  func delete(_ table: StoreTable, _ key: RawSpan) throws(StoreError)

  /// Removes every key that starts with `prefix`; an empty prefix empties the table.
  func deletePrefix(_ table: StoreTable, _ prefix: RawSpan) throws(StoreError)
}

/// A table of a store, by its place in the list of names given to ``StoreProvider/open(_:tables:)``.
public struct StoreTable: Hashable, Sendable {
  /// Position in the list of table names.
  public let ordinal: Int

  public init(_ ordinal: Int) { self.ordinal = ordinal }
}

/// What a committed transaction survives.
public enum StoreDurability: Sendable, Hashable, Comparable {
  /// Gone with the process.
  case none
  /// Survives the end of the process, also by `kill -9`, but not of the operating system.
  case process
  /// After a power loss a prefix of the commits is there: none half, none out of order.
  case ordered
  /// A commit that returned is on stable storage.
  case full
}
