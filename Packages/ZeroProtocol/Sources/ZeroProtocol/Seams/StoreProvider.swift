/// Opens, lists and deletes databases by name: the storage seam an app chooses in its options.
public protocol StoreProvider: Sendable {
  /// Creates or opens the database `name` with at least these tables.
  ///
  /// Tables found on disk and not named are kept; a later open may name more. At most one store per
  /// name is open at a time: a second open from this process fails at once, one from another process
  /// after the store's own waiting time, so that a process that is just ending does no harm.
  ///
  /// A database that fails its checks is never opened and never deleted. Where it can be moved, it is
  /// set aside in its folder under a dated name, and this call throws `corrupt` with the new place in
  /// ``StoreError/setAsidePath``: report it, then open again to start empty. A `corrupt` thrown later,
  /// by `read` or `write`, marks the database; close it and open again, which checks it thoroughly.
  /// - Parameters:
  ///   - name: any non-empty text; files are named by a hash of it.
  ///   - tables: names of 1 to 64 ASCII letters, digits or `_`, without duplicates. A ``StoreTable``
  ///     is an index into this list.
  /// - Throws: ``StoreError``: `lockedInProcess` or `lockedByAnotherProcess` with the holder in the
  ///   message, `corrupt`, `incompatible` for a newer layout version, `wrongKey`, `readOnly`,
  ///   `permission`, `full`, `io`, `misuse` for an empty name or a bad list of tables.
  func open(_ name: String, tables: [String]) throws(StoreError) -> any Store

  /// Names of the databases that exist, sorted by UTF-8 bytes.
  func list() throws(StoreError) -> [String]

  /// Deletes the database `name` and what was set aside of it; one that does not exist is fine.
  /// - Throws: ``StoreError``: `lockedInProcess` or `lockedByAnotherProcess` while it is open.
  func drop(_ name: String) throws(StoreError)
}
