/// A failure of a store, with the database it concerns and what to do about it.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. New kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Base: String, Hashable, Sendable {
      case busy, lockedInProcess, lockedByAnotherProcess, full, corrupt, tooLarge, readOnly
      case permission, vanished, io, incompatible, wrongKey, closed, misuse
    }
    private let base: Base
    private init(_ base: Base) { self.base = base }

    /// A lock was not free within the store's own waiting time; trying again can help.
    public static let busy = Self(.busy)
    /// This process already has the database open.
    public static let lockedInProcess = Self(.lockedInProcess)
    /// Another process has the database open; the message names it where it can be known.
    public static let lockedByAnotherProcess = Self(.lockedByAnotherProcess)
    /// No space, quota or file size left. Nothing of the transaction was written.
    public static let full = Self(.full)
    /// The file is not a database, is truncated, or fails its checks. From
    /// ``StoreProvider/open(_:tables:)`` with ``StoreError/setAsidePath`` set: the file was moved
    /// there and the next open starts empty.
    public static let corrupt = Self(.corrupt)
    /// A key or value is over the store's limit.
    public static let tooLarge = Self(.tooLarge)
    /// The medium or the file cannot be written.
    public static let readOnly = Self(.readOnly)
    /// The process may not open the file or its folder.
    public static let permission = Self(.permission)
    /// The file was deleted or replaced while it was open.
    public static let vanished = Self(.vanished)
    /// Any other failure of the operating system.
    public static let io = Self(.io)
    /// The file was written by a newer layout version.
    public static let incompatible = Self(.incompatible)
    /// The database is encrypted with another key than the one given, or not encrypted at all.
    public static let wrongKey = Self(.wrongKey)
    /// Used after `close`, or a lent snapshot used outside its closure.
    public static let closed = Self(.closed)
    /// A call the contract forbids: an empty key, a write inside a write, a change while bytes are
    /// lent, an unknown table.
    public static let misuse = Self(.misuse)

    public var description: String { base.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// The database's name, empty when the failure concerns none.
  public let database: String
  /// What failed, on what, and what to do.
  public let message: String
  /// The code of the library or system call below, if there is one.
  public let underlyingCode: Int?
  /// For `corrupt`: where the unreadable file was set aside, if it was.
  public let setAsidePath: String?
  /// For `corrupt`: the record that the client could not decode, of several in a table the first.
  public let record: Record?

  /// Where in a database a record is.
  public struct Record: Hashable, Sendable {
    /// The table's name.
    public let table: String
    /// The key in that table.
    public let key: [UInt8]

    /// The record under `key`.
    public init(table: String, key: [UInt8]) {
      self.table = table
      self.key = key
    }
  }

  /// An error of that kind; the message says what failed, on what, and what to do.
  public init(
    _ code: Code, database: String = "", message: String, underlyingCode: Int? = nil,
    setAsidePath: String? = nil, record: Record? = nil
  ) {
    self.code = code
    self.database = database
    self.message = message
    self.underlyingCode = underlyingCode
    self.setAsidePath = setAsidePath
    self.record = record
  }

  public var description: String {
    let subject = database.isEmpty ? "" : " in database \"\(database)\""
    let number = underlyingCode.map { " (code \($0))" } ?? ""
    return "store error \(code)\(subject): \(message)\(number)"
  }
}
