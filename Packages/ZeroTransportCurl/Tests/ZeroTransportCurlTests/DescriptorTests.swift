import Foundation
import Testing
import ZeroContracts
import ZeroProtocol
import ZeroSocketContracts
import ZeroTransportCurl

/// A process that has no file descriptors left for a while.
@MainActor struct DescriptorTests {
  /// Takes all descriptors there are.
  nonisolated static func takeAll() -> [Int32] {
    #if canImport(Glibc)
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let files = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    getrlimit(files, &limit)
    limit.rlim_cur = min(limit.rlim_cur, 256)
    setrlimit(files, &limit)
    var taken = [open("/dev/null", O_RDONLY)]
    while true {
      let copy = dup(taken[0])
      guard copy >= 0 else { return taken }
      taken.append(copy)
    }
  }

  nonisolated static func giveBack(_ descriptors: [Int32]) {
    for descriptor in descriptors { close(descriptor) }
  }

  @Test("sockets fail while there is no descriptor, also the first, and work when there is one")
  func firstSocket() async {
    // In a process of its own, because descriptors and the I/O thread are everybody's.
    await #expect(processExitsWith: .success) { @MainActor in
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        try connection.answerClose()
      }
      // Nothing is awaited meanwhile: the runtime may need descriptors as well.
      let descriptors = DescriptorTests.takeAll()
      let failing = [SocketUnderTest(peer.url), SocketUnderTest(peer.url)]
      DescriptorTests.giveBack(descriptors)
      for test in failing {
        let error = try #require(await test.recorder.waitForClose()?.error)
        try #require(error.code == .tooManyOpenFiles)
        test.socket.close(code: nil, reason: "")
      }
      let test = SocketUnderTest(peer.url)
      await test.recorder.waitForOpen()
      test.socket.close(code: 1000, reason: "")
      try #require(await test.recorder.waitForClose()?.wasClean == true)
    }
  }

  @Test("a socket that finds no descriptor leaves open ones alone")
  func laterSocket() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        try connection.answerClose()
      }
      let refusing = try RefusingPort()
      let open = SocketUnderTest(peer.url)
      await open.recorder.waitForOpen()
      let descriptors = DescriptorTests.takeAll()
      let test = SocketUnderTest("ws://127.0.0.1:\(refusing.number)/")
      try #require(await test.failure() == .tooManyOpenFiles)
      open.socket.close(code: 1000, reason: "")
      try #require(await open.recorder.waitForClose()?.wasClean == true)
      DescriptorTests.giveBack(descriptors)
      let later = SocketUnderTest("ws://127.0.0.1:\(refusing.number)/")
      try #require(await later.failure() == .connectionRefused)
      withExtendedLifetime(refusing) {}
    }
  }
}
