import Foundation

/// A new folder for a test's files.
public struct TemporaryFolder: Sendable {
  /// Its absolute path.
  public let path: String

  /// Creates it below the system's temporary folder.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "zero-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path(percentEncoded: false)
  }

  /// Removes it with all it holds.
  public func remove() { try? FileManager.default.removeItem(atPath: path) }
}
