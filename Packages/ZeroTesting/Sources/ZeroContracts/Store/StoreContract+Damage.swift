import Foundation
import ZeroProtocol

extension StoreContract {
  static let damageCases: [FileCase] = [
    FileCase("a folder in the place of the file is refused and left alone") { subject in
      _ = try subject.fillAndClose()
      let path = try subject.dataPath()
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      _ = FileManager.default.createFile(atPath: path + "/file", contents: nil)
      try requireError(.io, "a folder") { _ = try subject.open() }
      try require(FileManager.default.fileExists(atPath: path + "/file"), "the folder was touched")
      try FileManager.default.removeItem(atPath: path)
      try subject.open().set(alpha, bytes("k"), bytes("v"))
    },
    FileCase("a file in the place of the folder is refused") { subject in
      _ = FileManager.default.createFile(atPath: subject.folder, contents: Data("text".utf8))
      try requireError(.io, "open") { _ = try subject.open() }
      try requireError(.io, "list") { _ = try subject.provider.list() }
    },
    FileCase("a file deleted while it is open makes writes fail and harms nothing else") {
      subject in
      let store = try subject.open()
      try store.set(alpha, bytes("k"), bytes("v"))
      try store.sync()
      for file in try FileManager.default.contentsOfDirectory(atPath: subject.folder) {
        try FileManager.default.removeItem(atPath: subject.folder + "/" + file)
      }
      try requireVanished(store)
      store.close()
      let again = try subject.open()
      try require(try again.value(alpha, bytes("k")) == nil, "the deleted data is back")
      try again.set(alpha, bytes("k"), bytes("x"))
    },
    FileCase("a file replaced while it is open makes writes fail") { subject in
      _ = try subject.fillAndClose()
      let path = try subject.dataPath()
      let store = try subject.open()
      try store.set(alpha, bytes("k"), bytes("v"))
      try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
      _ = FileManager.default.createFile(atPath: path, contents: Data("other".utf8))
      try requireVanished(store)
      store.close()
    },
    FileCase("a damaged file is set aside, reported once, and the next open is fresh") { subject in
      let damages: [(name: String, apply: (Data) -> Data)] = [
        ("cut in half", { $0.prefix($0.count / 2) }),
        ("cut to one page", { $0.prefix(4096) }),
        ("cut to 100 bytes", { $0.prefix(100) }),
        ("empty", { _ in Data() }),
        ("zeroed", { Data(count: $0.count) }),
        ("first page zeroed", { Data(count: 4096) + $0.dropFirst(4096) }),
        ("second half zeroed", { $0.prefix($0.count / 2) + Data(count: $0.count - $0.count / 2) }),
        ("text", { _ in Data("this is not a database\n".utf8) }),
        ("noise", { Data($0.indices.map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }) }),
      ]
      for damage in damages {
        let content = try subject.fillAndClose()
        let path = try subject.dataPath()
        let sound = try Data(contentsOf: URL(filePath: path))
        let damaged = damage.apply(sound)
        try damaged.write(to: URL(filePath: path))
        let error = try requireError(.corrupt, damage.name) { _ = try subject.open() }
        guard let aside = error.setAsidePath else {
          throw Violation(message: "\(damage.name): \(error) says no new place")
        }
        try require(
          FileManager.default.contents(atPath: aside) == damaged,
          "\(damage.name): \(aside) does not hold the damaged file")
        try require(
          aside.contains("-20") && aside.hasPrefix(path), "\(damage.name): \(aside) has no date")
        try require(error.database == "contract", "\(damage.name): the error names no database")
        let fresh = try subject.open()
        try require(try fresh.read { try $0.keys(alpha) }.isEmpty, "\(damage.name): not fresh")
        fresh.close()
        _ = try subject.fillAndClose()
        let refilled = try subject.open()
        try require(
          try subject.holds(content, refilled), "\(damage.name): the fresh database does not work")
        refilled.close()
        try subject.provider.drop("contract")
        try require(
          try FileManager.default.contentsOfDirectory(atPath: subject.folder).isEmpty,
          "\(damage.name): drop left files")
      }
    },
    FileCase("a flipped bit is found or changes nothing that is read") { subject in
      let content = try subject.fillAndClose()
      let path = try subject.dataPath()
      let sound = try FolderCopy(subject.folder)
      let seed = TestSeed.value
      var random = SeededRandom(seed: seed)
      var found = 0
      for flip in 0..<120 {
        try sound.restore()
        var data = try Data(contentsOf: URL(filePath: path))
        let bit = random.next(below: data.count * 8)
        data[bit / 8] ^= 1 << UInt8(bit % 8)
        // Half of the flips look like those of a medium, which do not touch the time of change.
        try sound.write(data, to: path, keepingTime: flip % 2 == 0)
        let outcome = try subject.outcome(content)
        try require(
          outcome != .wrong, "seed \(seed), bit \(bit): other content is read than was written")
        if outcome == .found { found += 1 }
      }
      try require(found > 40, "only \(found) of 120 flips were found, seed \(seed)")
    },
  ]
}

extension StoreContract.FileSubject {
  fileprivate enum Outcome {
    case found, unharmed, wrong
  }

  /// Reads everything, as a client does that opens again after `corrupt`.
  fileprivate func outcome(_ content: [[UInt8]: [UInt8]]) throws -> Outcome {
    var hasFound = false
    for _ in 0..<3 {
      do {
        let store = try open()
        defer { store.close() }
        if try holds(content, store) { return hasFound ? .wrong : .unharmed }
        return try hasFound && store.read { try $0.keys(alpha) }.isEmpty ? .found : .wrong
      } catch let error as StoreError where error.code == .corrupt {
        hasFound = true
      } catch let error as StoreError where error.code == .incompatible {
        // The bit was one of the layout version's.
        return .found
      }
    }
    return .wrong
  }
}

/// A store may need a few writes to see that its file is gone: it can go after a look at any time.
private func requireVanished(_ store: any Store) throws {
  for _ in 0..<100 {
    do { try store.set(alpha, bytes("k"), bytes("w")) } catch let error as StoreError {
      return try require(error.code == .vanished, "a write threw \(error)")
    }
  }
  throw StoreContract.Violation(message: "100 writes went to a file that is gone")
}
