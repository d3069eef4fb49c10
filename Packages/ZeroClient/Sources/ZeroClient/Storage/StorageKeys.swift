import ZeroProtocol

/// Keys of the database's tables. IDs contain no `/`; numbers are eight bytes, most significant first.
enum StorageKey {
  static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// What the keys of everything under a client group start with.
  static func prefix(group: String) -> [UInt8] { Array(group.utf8) + [slash] }

  static func pair(_ group: String, _ name: String) -> [UInt8] {
    prefix(group: group) + Array(name.utf8)
  }

  static func sequence(_ group: String, _ sequence: UInt64) -> [UInt8] {
    prefix(group: group) + integer(sequence)
  }

  static func integer(_ value: UInt64) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// What the keys of a table's rows start with.
  static func prefix(group: String, table: String) -> [UInt8] {
    var key = prefix(group: group)
    for byte in table.utf8 {
      switch byte {
      case slash: key.append(contentsOf: "%2F".utf8)
      case UInt8(ascii: "%"): key.append(contentsOf: "%25".utf8)
      default: key.append(byte)
      }
    }
    key.append(slash)
    return key
  }

  /// The key of a row: its table's prefix and the text of its primary key. Over the store's limit the
  /// end is replaced by a hash.
  static func row(prefix: [UInt8], key text: String, maxKeyBytes: Int) -> [UInt8] {
    var key = prefix
    key.append(contentsOf: text.utf8)
    guard key.count > maxKeyBytes else { return key }
    let hash = key.withUnsafeBytes { TextHash.h128($0) }
    key.removeSubrange(longKeyHead...)
    key.append(0xFF)
    withUnsafeBytes(of: hash.bigEndian) { key.append(contentsOf: $0) }
    return key
  }

  // MARK: -

  private static var slash: UInt8 { UInt8(ascii: "/") }
  private static let longKeyHead = 400
}
