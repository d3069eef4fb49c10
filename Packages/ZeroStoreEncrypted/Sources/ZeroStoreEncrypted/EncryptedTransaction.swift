import ZeroProtocol

/// A snapshot, or a transaction if `transaction` is there, that opens values as they are lent.
final class EncryptedTransaction: StoreTransaction {
  /// Underlying code of the error for a value that was not sealed with this key for its record.
  static let refusedCode = -1

  private let snapshot: any StoreSnapshot
  private let transaction: (any StoreTransaction)?
  private let cipher: ValueCipher
  private let database: String
  private let tableNames: [[UInt8]]
  /// Buffers for opened values. One is on loan per level of nesting, and kept for the next value.
  private var idle: [Buffer] = []
  private var sealed: [UInt8] = []

  private final class Buffer {
    var bytes: [UInt8] = []
  }

  init(
    _ snapshot: any StoreSnapshot, _ transaction: (any StoreTransaction)?, cipher: ValueCipher,
    database: String, tableNames: [[UInt8]]
  ) {
    self.snapshot = snapshot
    self.transaction = transaction
    self.cipher = cipher
    self.database = database
    self.tableNames = tableNames
  }

  func get<Result>(
    _ table: StoreTable, _ key: RawSpan, _ body: (RawSpan?) throws -> Result
  ) throws -> Result {
    try check(table)
    let buffer = idle.popLast() ?? Buffer()
    defer { idle.append(buffer) }
    return try key.withUnsafeBytes { keyBytes in
      try snapshot.get(table, keyBytes.bytes) { value in
        guard let value else { return try body(nil) }
        let count = try open(value, table, keyBytes, buffer)
        let bytes = buffer.bytes
        return try body(bytes.span.bytes.extracting(first: count))
      }
    }
  }

  func scan(
    _ table: StoreTable, prefix: RawSpan, after: RawSpan?,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    try check(table)
    let buffer = idle.popLast() ?? Buffer()
    defer { idle.append(buffer) }
    try snapshot.scan(table, prefix: prefix, after: after) { key, value in
      let count = try key.withUnsafeBytes { try open(value, table, $0, buffer) }
      let bytes = buffer.bytes
      return try body(key, bytes.span.bytes.extracting(first: count))
    }
  }

  func put(_ table: StoreTable, _ key: RawSpan, _ value: RawSpan) throws(StoreError) {
    let transaction = try writable()
    try check(table)
    let name = tableNames[table.ordinal]
    let count = key.withUnsafeBytes { key in
      value.withUnsafeBytes { cipher.seal($0, table: name, key: key, into: &sealed) }
    }
    guard let count else {
      throw StoreError(
        .io, database: database, message: "a value cannot be encrypted; see the system's setup")
    }
    let bytes = sealed
    try transaction.put(table, key, bytes.span.bytes.extracting(first: count))
    // A buffer of a large value is not kept for the small ones that follow.
    if sealed.count > 1 << 20 { sealed = [] }
  }

  func delete(_ table: StoreTable, _ key: RawSpan) throws(StoreError) {
    try check(table)
    try writable().delete(table, key)
  }

  func deletePrefix(_ table: StoreTable, _ prefix: RawSpan) throws(StoreError) {
    try check(table)
    try writable().deletePrefix(table, prefix)
  }

  // MARK: -

  private func open(
    _ value: RawSpan, _ table: StoreTable, _ key: UnsafeRawBufferPointer, _ buffer: Buffer
  ) throws(StoreError) -> Int {
    let name = tableNames[table.ordinal]
    let count = value.withUnsafeBytes {
      cipher.open($0, table: name, key: key, into: &buffer.bytes)
    }
    if let count { return count }
    throw StoreError(
      .corrupt, database: database,
      message: "a value was changed or belongs to another record; drop the database",
      underlyingCode: Self.refusedCode)
  }

  private func check(_ table: StoreTable) throws(StoreError) {
    guard tableNames.indices.contains(table.ordinal) else {
      throw StoreError(
        .misuse, database: database,
        message:
          "table \(table.ordinal) is not one of the \(tableNames.count) the store was opened with")
    }
  }

  private func writable() throws(StoreError) -> any StoreTransaction {
    if let transaction { return transaction }
    throw StoreError(
      .misuse, database: database, message: "a change was made in a read; use a write")
  }
}
