import Foundation
import Testing
import ZeroContracts
import ZeroProtocol
import ZeroSocketContracts
import ZeroTransportCurl

@MainActor @Suite(.serialized) struct TLSTests {
  private let certificates: TestCertificates

  init() throws {
    certificates = try #require(TestCertificates.shared, "openssl is needed for these tests")
  }

  private func trusting(_ change: (inout CurlTransportOptions) -> Void = { _ in })
    -> CurlTransportOptions
  {
    var options = CurlTransportOptions.forTests
    options.trust = .authorities(path: certificates.path("ca.pem"))
    change(&options)
    return options
  }

  /// Says hello to a server with the certificate `name` and returns how the socket ended.
  private func greet(
    _ name: String, host: String = "localhost", clientAuthorities: String? = nil,
    options: CurlTransportOptions
  ) async throws -> SocketClose? {
    let peer = try ScriptedPeer(
      tls: certificates.server(name, clientAuthorities: clientAuthorities)
    ) { connection in
      try connection.upgrade()
      let frame = try connection.readFrame()
      try connection.writeFrame(frame.opcode, frame.payload)
      try connection.answerClose()
      return String(decoding: frame.payload, as: UTF8.self)
    }
    let test = SocketUnderTest("wss://\(host):\(peer.port)/", options: options)
    await test.recorder.waitForOpen()
    test.socket.send(text: Array("hello".utf8))
    await test.recorder.wait { $0.receivedCount == 1 }
    test.socket.close(code: 1000, reason: "")
    return await test.recorder.waitForClose()
  }

  @Test(
    "a server with a certificate of a trusted authority is spoken to",
    arguments: ["localhost", "127.0.0.1"])
  func trusted(host: String) async throws {
    let close = try await greet("server", host: host, options: trusting())
    #expect(close?.code == 1000 && close?.wasClean == true)
  }

  @Test(
    "a certificate that is expired, for another host or self-signed is refused",
    arguments: ["expired", "otherhost", "selfsigned"])
  func refused(name: String) async throws {
    let close = try await greet(name, options: trusting())
    #expect(close?.error?.code == .certificate)
    #expect(close?.error?.message.contains("localhost") == true)
  }

  @Test("the system's authorities do not vouch for ours")
  func systemTrust() async throws {
    let close = try await greet("server", options: .forTests)
    #expect(close?.error?.code == .certificate)
  }

  @Test("a pinned key is accepted and any other refused, though the certificate is trusted")
  func pinning() async throws {
    let right = trusting { $0.pinnedPublicKeys = [certificates.pin] }
    #expect(try await greet("server", options: right)?.code == 1000)
    let wrong = trusting {
      $0.pinnedPublicKeys = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
    }
    #expect(try await greet("server", options: wrong)?.error?.code == .certificate)
  }

  @Test("a client certificate is shown to a server that asks for it")
  func clientCertificate() async throws {
    let options = trusting {
      $0.clientCertificate = .init(
        certificatePath: certificates.path("client.pem"),
        keyPath: certificates.path("client.key"), keyPassword: "sesame")
    }
    let close = try await greet("server", clientAuthorities: "ca.pem", options: options)
    #expect(close?.code == 1000 && close?.wasClean == true)
    let without = try await greet("server", clientAuthorities: "ca.pem", options: trusting())
    #expect(without?.wasClean == false)
  }

  @Test("an authority file that is missing is an error, not a fallback to the system's")
  func missingAuthorities() async throws {
    var options = CurlTransportOptions.forTests
    options.trust = .authorities(path: certificates.path("missing.pem"))
    let close = try await greet("server", options: options)
    #expect(close?.error?.code == .tls || close?.error?.code == .certificate)
  }

  @Test("programs that the process starts do not inherit the connection")
  func closesOnExec() async throws {
    let peer = try ScriptedPeer(tls: certificates.server("server")) { connection in
      try connection.upgrade()
      try connection.answerClose()
      return ""
    }
    let test = SocketUnderTest("wss://localhost:\(peer.port)/", options: trusting())
    await test.recorder.waitForOpen()
    let flags = (0..<1024).filter { Self.remotePort(of: $0) == peer.port }
      .map { fcntl($0, F_GETFD) }
    #expect(flags == [FD_CLOEXEC])
    test.socket.close(code: 1000, reason: "")
    #expect(await test.recorder.waitForClose()?.wasClean == true)
  }

  /// The port at the other end of a TCP socket, or nil for any other descriptor.
  private static func remotePort(of descriptor: Int32) -> UInt16? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getpeername(descriptor, $0, &length)
      }
    }
    return status == 0 ? UInt16(bigEndian: address.sin_port) : nil
  }

  @Test("a server that never completes TLS is given up after the time limit")
  func silentServer() async throws {
    let peer = try ScriptedPeer { _ = $0.readToEnd() }
    let test = SocketUnderTest(
      SocketRequest(url: "wss://127.0.0.1:\(peer.port)/", connectTimeout: .milliseconds(150)))
    #expect(await test.failure() == .timeout)
  }

  @Test("a server that speaks no TLS is a TLS error")
  func plainServer() async throws {
    let peer = try ScriptedPeer { connection in
      _ = try connection.read(1)
      try connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
    }
    let test = SocketUnderTest("wss://127.0.0.1:\(peer.port)/")
    #expect(await test.failure() == .tls)
  }

  @Test("8 MiB pass through TLS in both directions, to a slow reader too")
  func large() async throws {
    let size = 8 << 20
    let hasLooked = DispatchSemaphore(value: 0)
    defer { hasLooked.signal() }
    let peer = try ScriptedPeer(tls: certificates.server("server"), receiveBuffer: 64 << 10) {
      connection in
      try connection.upgrade()
      hasLooked.wait()
      let frame = try connection.readFrame()
      try connection.writeFrame(2, frame.payload)
      try connection.answerClose()
      return ""
    }
    let test = SocketUnderTest("wss://localhost:\(peer.port)/", options: trusting())
    await test.recorder.waitForOpen()
    let payload = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      for index in 0..<size { buffer[index] = UInt8(truncatingIfNeeded: index &* 7) }
      count = size
    }
    test.socket.send(binary: payload)
    #expect(test.socket.bufferedBytes > 0)
    hasLooked.signal()
    await test.recorder.wait { $0.receivedCount == 1 }
    #expect(test.recorder.messages == [.binary(payload)])
    test.socket.close(code: 1000, reason: "")
    #expect(await test.recorder.waitForClose()?.wasClean == true)
  }
}
