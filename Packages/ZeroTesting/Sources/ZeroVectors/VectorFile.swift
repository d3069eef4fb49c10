import ZeroProtocol

/// A file of vectors: its header members and its cases.
public struct VectorFile {
  /// The file's name without `.json`.
  public let name: String
}
