/// Numbers that the two sides of the sync protocol agree on.
public enum SyncProtocol {
  /// The version that this client declares when it connects. A server refuses one that is newer than
  /// its own.
  public static let version = 52

  /// The versions of servers whose messages are understood.
  public static let supportedVersions = 30...52

  /// From this version on the body of a poke arrives in binary frames.
  public static let firstVersionWithBinaryPokes = 52

  /// First byte of a binary frame that holds a piece of a poke's body.
  public static let pokeChunkTag: UInt8 = 0

  /// Version of the form of pushes.
  public static let pushVersion: Double = 1
}
