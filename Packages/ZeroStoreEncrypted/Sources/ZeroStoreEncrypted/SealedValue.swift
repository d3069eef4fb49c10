/// How an encrypted value lies in the store: a format byte, the nonce, the ciphertext, the tag.
///
/// The table's name and the record's key are authenticated with the value, so that a value cannot be
/// moved to another record.
enum SealedValue {
  static let format: UInt8 = 1
  static let nonceBytes = 12
  static let tagBytes = 16
  /// What a value grows by.
  static let overhead = 1 + nonceBytes + tagBytes

  /// A nonce of 96 random bits. One key is good for 2^32 values at a risk of 2^-33 of a repeat.
  static func nonce() -> (UInt64, UInt32) {
    var generator = SystemRandomNumberGenerator()
    return (generator.next(), generator.next())
  }
}
