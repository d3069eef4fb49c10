public import ZeroProtocol

/// Checks of what is put into a store, alike in all backends.
public struct RecordLimits: Sendable {
  /// Longest key in bytes.
  public let maxKeyBytes: Int
  /// Longest value in bytes.
  public let maxValueBytes: Int
  private let database: String

  public init(maxKeyBytes: Int, maxValueBytes: Int, database: String) {
    self.maxKeyBytes = maxKeyBytes
    self.maxValueBytes = maxValueBytes
    self.database = database
  }

  /// - Throws: `misuse` for an empty key, `tooLarge` for a key or a value over its limit.
  @inline(__always)
  public func check(keyBytes: Int, valueBytes: Int) throws(StoreError) {
    if keyBytes > 0, keyBytes <= maxKeyBytes, valueBytes <= maxValueBytes { return }
    throw refusal(keyBytes: keyBytes, valueBytes: valueBytes)
  }

  private func refusal(keyBytes: Int, valueBytes: Int) -> StoreError {
    if keyBytes == 0 {
      return StoreError(.misuse, database: database, message: "a key is empty; give it a byte")
    }
    let (what, count, limit) =
      keyBytes > maxKeyBytes
      ? ("key", keyBytes, maxKeyBytes) : ("value", valueBytes, maxValueBytes)
    return StoreError(
      .tooLarge, database: database,
      message: "a \(what) has \(count) bytes and may have \(limit); split it")
  }
}
