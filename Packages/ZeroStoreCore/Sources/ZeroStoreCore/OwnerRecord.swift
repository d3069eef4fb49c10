/// What the owner file of a database says: who has it open, how it was left, and its name.
///
/// The first 128 bytes are one padded line that is rewritten in place; the database's name follows.
struct OwnerRecord: Equatable {
  /// How the data file was left.
  enum Condition: Equatable {
    /// No transaction was ever committed: whatever is there may be thrown away.
    case new
    /// Open now, or its process ended without closing it.
    case open
    /// Closed in order, with this size in bytes and this time of its last change in nanoseconds.
    case clean(size: Int64, changed: Int64)
    /// A read or a write found damage.
    case suspect
  }

  static let headerBytes = 128

  var holder: Int32
  var condition: Condition

  /// The padded first line.
  var header: [UInt8] {
    let state =
      switch condition {
      case .new: "new"
      case .open: "open"
      case .clean(let size, let changed): "clean \(size) \(changed)"
      case .suspect: "suspect"
      }
    var bytes = Array("zero-store 1 \(holder) \(state)".utf8)
    bytes += repeatElement(UInt8(ascii: " "), count: max(0, Self.headerBytes - 1 - bytes.count))
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  init(holder: Int32, condition: Condition) {
    self.holder = holder
    self.condition = condition
  }

  /// Reads an owner file's bytes, or fails if they are anything else.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count >= Self.headerBytes else { return nil }
    let line = bytes.prefix(Self.headerBytes - 1)
    let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard words.count >= 4, words[0] == "zero-store", words[1] == "1",
      let holder = Int32(words[2])
    else { return nil }
    self.holder = holder
    switch (words[3], words.count) {
    case ("new", 4): condition = .new
    case ("open", 4): condition = .open
    case ("suspect", 4): condition = .suspect
    case ("clean", 6):
      guard let size = Int64(words[4]), let changed = Int64(words[5]) else { return nil }
      condition = .clean(size: size, changed: changed)
    default: return nil
    }
  }
}
