/// The hashes that name things in the protocol, over text as UTF-8.
///
/// The wider ones are the 32-bit hash of the whole text with ascending seeds, most significant first.
public enum TextHash {
  /// The 32-bit hash.
  public static func h32(_ text: String) -> UInt32 { withBytes(text) { xxHash32($0) } }

  /// The 64-bit hash, seeds 0 and 1.
  public static func h64(_ text: String) -> UInt64 { withBytes(text) { h64($0) } }

  /// The 64-bit hash of text given as UTF-8.
  public static func h64(_ utf8: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(xxHash32(utf8, seed: 0)) << 32 | UInt64(xxHash32(utf8, seed: 1))
  }

  /// The 128-bit hash, seeds 0 to 3.
  public static func h128(_ utf8: UnsafeRawBufferPointer) -> UInt128 {
    var hash: UInt128 = 0
    for seed in UInt32(0)..<4 { hash = hash << 32 | UInt128(xxHash32(utf8, seed: seed)) }
    return hash
  }

  /// The 128-bit hash.
  public static func h128(_ text: String) -> UInt128 { withBytes(text) { h128($0) } }

  /// The 64-bit hash in lower-case base 36 without padding: query IDs, schema hashes, names.
  public static func base36(_ text: String) -> String { String(h64(text), radix: 36) }

  /// ``base36(_:)`` of text given as UTF-8.
  public static func base36(utf8: [UInt8]) -> String {
    utf8.withUnsafeBytes { String(h64($0), radix: 36) }
  }

  // MARK: -

  private static func withBytes<Result>(
    _ text: String, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    var text = text
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
