public import Foundation

/// The files of a folder as they were, with their times.
public struct FolderCopy {
  private let folder: String
  private var files: [(path: String, data: Data, times: [timespec])] = []

  /// Reads all files of `folder`, which has no folders.
  public init(_ folder: String) throws {
    self.folder = folder
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let path = folder + "/" + file
      var info = stat()
      stat(path, &info)
      #if canImport(Darwin)
        let times = [info.st_atimespec, info.st_mtimespec]
      #else
        let times = [info.st_atim, info.st_mtim]
      #endif
      files.append((path, try Data(contentsOf: URL(filePath: path)), times))
    }
  }

  /// Makes the folder what it was.
  public func restore() throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.removeItem(atPath: folder + "/" + file)
    }
    for file in files { try write(file.data, to: file.path, keepingTime: true) }
  }

  /// Writes `data` to the file at `path`, which then has the times it had unless `keepingTime` is false.
  public func write(_ data: Data, to path: String, keepingTime: Bool) throws {
    try data.write(to: URL(filePath: path))
    guard keepingTime, let file = files.first(where: { $0.path == path }) else { return }
    utimensat(AT_FDCWD, path, file.times, 0)
  }
}
