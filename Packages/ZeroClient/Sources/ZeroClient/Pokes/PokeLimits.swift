/// How much of the server's pokes a client holds before it gives the connection up.
///
/// A server that never ends a poke, or sends pokes faster than they can be applied, would otherwise use
/// up the memory of the device.
@_spi(Engine) public struct PokeLimits: Sendable {
  /// Bytes of the messages of the poke being received, and again of those that wait to be applied.
  ///
  /// A first sync is one poke: the limit must be above the largest that an app has. 512 MiB are some
  /// millions of rows, more than a phone can hold.
  public var byteCount = 512 << 20
  /// Messages of one poke. zero-cache puts a hundred rows or a MiB into each.
  public var messageCount = 1_000_000

  public init() {}

  /// What a waiting poke counts for beside its bytes, so that empty ones are limited too.
  static let overhead = 1024
}
