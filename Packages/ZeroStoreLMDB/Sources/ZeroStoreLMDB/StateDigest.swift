/// What the records of all tables come to, whatever their order: a record more, less or with another
/// content makes it another number, but for one case in four thousand million.
struct StateDigest: Equatable {
  private(set) var value: UInt64 = 0

  /// What a table's records count with: an odd number made of its name.
  static func factor(_ table: some Sequence<UInt8>) -> UInt64 {
    table.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
  }

  init() {}

  @inline(__always)
  mutating func add(_ checksum: UInt32, factor: UInt64) {
    value &+= Self.share(checksum) &* factor
  }

  @inline(__always)
  mutating func remove(_ checksum: UInt32, factor: UInt64) {
    value &-= Self.share(checksum) &* factor
  }

  // MARK: -

  /// Not zero for any checksum: each record counts.
  @inline(__always)
  private static func share(_ checksum: UInt32) -> UInt64 { UInt64(checksum) | 1 &<< 32 }
}
