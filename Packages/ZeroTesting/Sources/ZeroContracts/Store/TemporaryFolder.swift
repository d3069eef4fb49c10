import Foundation

/// A new folder for a test's files.
public struct TemporaryFolder: Sendable {
  /// Its absolute path without symbolic links, which is how stores name their files in errors.
  public let path: String

  /// Creates it below the system's temporary folder.
  /// - Parameter inMemory: below one that the system keeps in memory, if it has one.
  public init(inMemory: Bool = false) throws {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    let parent =
      inMemory && FileManager.default.isWritableFile(atPath: memory.path(percentEncoded: false))
      ? memory : FileManager.default.temporaryDirectory
    let url = parent.appending(path: "zero-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let created = url.path(percentEncoded: false)
    if let resolved = realpath(created, nil) {
      path = String(cString: resolved)
      free(resolved)
    } else {
      path = created
    }
  }

  /// Removes it with all it holds.
  public func remove() { try? FileManager.default.removeItem(atPath: path) }
}
