import Foundation
import ZeroProtocol

extension StoreContract {
  /// Kills per run of the kill case: 10, or what `ZERO_KILLS` says.
  private static var kills: Int {
    ProcessInfo.processInfo.environment["ZERO_KILLS"].flatMap { Int($0) } ?? 10
  }

  static let processCases: [FileCase] = [
    FileCase("a database that another process has open is refused, and its holder is named") {
      subject in
      let holder = try subject.start("hold")
      try holder.expect("open")
      for what in ["open", "drop"] {
        let error = try requireError(.lockedByAnotherProcess, what) {
          if what == "open" {
            _ = try subject.open()
          } else {
            try subject.provider.drop("contract")
          }
        }
        try require(error.message.contains("\(holder.pid)"), "\(what) does not name it: \(error)")
      }
      try require(try subject.provider.list() == ["contract"], "it is not listed")
      holder.send("go")
      try holder.expect("closed")
      holder.wait()
      try subject.open().close()
    },
    FileCase("a lock goes with its process") { subject in
      let holder = try subject.start("hold")
      try holder.expect("open")
      holder.killNow()
      let store = try subject.open()
      let other = try subject.start("probe")
      try other.expect("error lockedByAnotherProcess")
      other.wait()
      store.close()
      try subject.provider.drop("contract")
    },
    FileCase("another process reads what was written here, and the other way round") { subject in
      let store = try subject.open()
      for number in 1...5 { try store.write { try WorkerLoad.write(number, to: $0) } }
      store.close()
      let worker = try subject.start("loop")
      for number in 6...9 { try worker.expect("\(number)") }
      worker.killNow()
      let number = try subject.open().read { try WorkerLoad.verify($0) }
      try require(number >= 9, "transaction 9 is lost, found \(number)")
    },
    FileCase("after kill -9 all that was acknowledged is there and nothing is half there") {
      subject in
      let seed = TestSeed.value
      var random = SeededRandom(seed: seed)
      for kill in 0..<kills {
        let worker = try subject.start("loop")
        var acknowledged = 0
        for _ in 0...random.next(below: 80) {
          guard let number = worker.readLine().flatMap({ Int($0) }) else {
            throw Violation(message: "kill \(kill), seed \(seed): the worker could not write")
          }
          acknowledged = number
        }
        worker.killNow()
        while let number = worker.readLine().flatMap({ Int($0) }) { acknowledged = number }
        // The next worker opens what the killed one left, except at times.
        if random.next(below: 3) == 0 {
          let store = try subject.open()
          let number = try store.read { try WorkerLoad.verify($0) }
          store.close()
          try require(
            number == acknowledged || number == acknowledged + 1,
            "kill \(kill), seed \(seed): \(acknowledged) was acknowledged, found \(number)")
        }
      }
      _ = try subject.open().read { try WorkerLoad.verify($0) }
    },
    FileCase("with the file at its size limit writes are refused whole, and go on with more room") {
      subject in
      let worker = try subject.start("fill", "\(1 << 20)")
      try worker.expect("refused full")
      _ = worker.readLine()
      try worker.expect("kept all")
      try worker.expect("wrote again")
      try worker.expect("closed")
      try require(worker.wait() == .exited(0), "the worker failed")
      try require(
        try subject.open().value(beta, bytes("later")) == bytes("v"), "the last write is lost")
    },
    FileCase("files are for this user only") { subject in
      let store = try subject.open()
      try store.set(alpha, bytes("k"), bytes("v"))
      for file in try FileManager.default.contentsOfDirectory(atPath: subject.folder) + [""] {
        let path = subject.folder + "/" + file
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        try require(
          mode as? Int == (file.isEmpty ? 0o700 : 0o600), "\(file) has \(mode ?? "no mode")")
      }
      store.close()
    },
  ]

  static let userCases: [FileCase] = [
    FileCase("a folder that belongs to another user is refused as a matter of permission") {
      subject in
      try subject.open().close()
      let worker = try subject.start("probe-as", "65534")
      try worker.expect("error permission")
      worker.wait()
      try subject.open().close()
    },
    FileCase("a file that belongs to another user is refused as a matter of permission") {
      subject in
      _ = try subject.fillAndClose()
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o777], ofItemAtPath: subject.folder)
      for file in try FileManager.default.contentsOfDirectory(atPath: subject.folder) {
        let path = subject.folder + "/" + file
        let isData = try path == subject.dataPath()
        try FileManager.default.setAttributes(
          [.posixPermissions: isData ? 0o600 : 0o666], ofItemAtPath: path)
      }
      let worker = try subject.start("probe-as", "65534")
      try worker.expect("error permission")
      worker.wait()
    },
  ]

  static let mediumCases: [FileCase] = [
    FileCase("a medium that cannot be written is refused as such") { subject in
      _ = try subject.fillAndClose()
      let worker = try subject.startMounted(
        "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\"", "probe")
      try worker.expect("error readOnly")
      worker.wait()
    },
    FileCase("on a full file system writes are refused whole") { subject in
      try FileManager.default.createDirectory(
        atPath: subject.folder, withIntermediateDirectories: true)
      let worker = try subject.startMounted("mount -t tmpfs -o size=3m none \"$0\"", "fill")
      try worker.expect("refused full")
      _ = worker.readLine()
      try worker.expect("kept all")
      try worker.expect("closed")
      try require(worker.wait() == .exited(0), "the worker failed")
    },
    FileCase("with room for a few pages only, opening and writing succeed or are refused as full") {
      subject in
      try FileManager.default.createDirectory(
        atPath: subject.folder, withIntermediateDirectories: true)
      for room in 0..<24 {
        let ballast = "head -c \((64 - room) * 4096) /dev/zero > \"$0/ballast\""
        let worker = try subject.startMounted(
          "mount -t tmpfs -o size=256k none \"$0\" && \(ballast)", "probe")
        let answer = worker.readLine()
        try require(
          answer == "ok" || answer == "error full",
          "with \(room) pages it said \(answer ?? "nothing"), \(worker.readLine() ?? "")")
        worker.wait()
      }
    },
  ]
}

extension StoreContract.FileSubject {
  /// Starts the worker in a name space of its own, in which `mount` was done on the folder.
  fileprivate func startMounted(_ mount: String, _ command: String) throws -> WorkerProcess {
    try WorkerProcess([
      "unshare", "-m", "sh", "-c", "\(mount) && exec \"$@\"", folder, worker, command, folder,
      "contract",
    ])
  }
}
