import Foundation
import ZeroProtocol
import ZeroStoreEncrypted
import ZeroStoreLMDB
import ZeroStoreMemory
import ZeroStoreSQLite

/// When commits reach the disk, in words that both libraries share.
enum Level: Int32, CaseIterable {
  case process, ordered, full
}

/// A backend with its peer in C, over folders that are removed at the end.
enum Backend: String, CaseIterable {
  case memory, sqlite, lmdb, encrypted

  var hasPeer: Bool { self == .sqlite || self == .lmdb }

  var levels: [Level] {
    switch self {
    case .memory: []
    case .sqlite: [.ordered, .full]
    case .lmdb: [.process, .ordered, .full]
    case .encrypted: []
    }
  }

  func provider(_ folder: String, _ level: Level) -> any StoreProvider {
    switch self {
    case .memory: MemoryStoreProvider()
    case .sqlite:
      SQLiteStoreProvider(
        directory: folder, options: .init(synchronous: level == .full ? .full : .normal))
    case .lmdb:
      LMDBStoreProvider(
        directory: folder,
        options: .init(
          synchronization: level == .full ? .full : level == .ordered ? .ordered : .process))
    case .encrypted: EncryptedStoreProvider(SQLiteStoreProvider(directory: folder), key: Self.key)
    }
  }

  func ours(_ folder: String, level: Level = .ordered) throws -> OurStore {
    try OurStore(provider(folder, level))
  }

  func peer(_ folder: String, level: Level = .ordered) throws -> CStore {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return try CStore(isLMDB: self == .lmdb, path: folder + "/peer", level: level.rawValue)
  }

  private static let key = EncryptionKey.random()
}

/// Folders for the files of one run, on the disk that `TMPDIR` names.
final class Folders {
  private let root: String
  private var count = 0

  init() {
    root =
      FileManager.default.temporaryDirectory.path(percentEncoded: false)
      + "/zero-bench-\(ProcessInfo.processInfo.processIdentifier)"
  }

  func make() -> String {
    count += 1
    return "\(root)/\(count)"
  }

  func remove(_ folder: String) { try? FileManager.default.removeItem(atPath: folder) }

  func removeAll() { remove(root) }

  /// Bytes of the files in a folder, logs included.
  func bytes(_ folder: String) -> Int {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { !$0.hasSuffix("lock") && !$0.hasSuffix("shm") && !$0.hasSuffix("owner") }
      .map {
        (try? FileManager.default.attributesOfItem(atPath: folder + "/" + $0)[.size] as? Int) ?? 0
      }
      .reduce(0, +)
  }
}
