import Foundation
import Testing
import ZeroContracts
import ZeroProtocol
import ZeroSocketContracts
import ZeroTransportCurl

@MainActor @Suite(.serialized) struct ProxyTests {
  private func options(_ proxy: CurlTransportOptions.Proxy) -> CurlTransportOptions {
    var options = CurlTransportOptions.forTests
    options.proxy = proxy
    return options
  }

  @Test("a tunnel is asked for with CONNECT and credentials, and the handshake goes through it")
  func httpConnect() async throws {
    let peer = try ScriptedPeer { connection in
      let connect = try connection.readHead()
      try connection.write("HTTP/1.1 200 Connection established\r\n\r\n")
      let head = try connection.upgrade()
      try connection.answerClose()
      return [connect, head]
    }
    let test = SocketUnderTest(
      "ws://zero.invalid:4848/path",
      options: options(
        .http(
          host: "127.0.0.1", port: peer.port, credentials: .init(user: "ann", password: "p@ss"))))
    await test.recorder.waitForOpen()
    test.socket.close(code: 1000, reason: "")
    let heads = try await peer.value()
    #expect(heads[0].hasPrefix("CONNECT zero.invalid:4848 HTTP/1.1\r\n"))
    #expect(
      PeerConnection.header("Proxy-Authorization", in: heads[0])
        == "Basic " + Data("ann:p@ss".utf8).base64EncodedString())
    #expect(heads[1].hasPrefix("GET /path HTTP/1.1\r\nHost: zero.invalid:4848\r\n"))
    #expect(await test.recorder.waitForClose()?.wasClean == true)
  }

  @Test("a proxy that refuses is a proxy error")
  func refusal() async throws {
    let peer = try ScriptedPeer { connection in
      _ = try connection.readHead()
      try connection.write(
        "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=x\r\n"
          + "Content-Length: 0\r\n\r\n")
      connection.readToEnd()
    }
    let test = SocketUnderTest(
      "ws://zero.invalid/", options: options(.http(host: "127.0.0.1", port: peer.port)))
    #expect(await test.failure() == .proxy)
  }

  @Test("a SOCKS 5 proxy gets credentials and the host's name")
  func socks5() async throws {
    let peer = try ScriptedPeer { connection in
      let greeting = try connection.read(2)
      _ = try connection.read(Int(greeting[1]))
      try connection.write([5, 2])
      let userLength = try connection.read(2)[1]
      let user = try connection.read(Int(userLength))
      let password = try connection.read(Int(try connection.read(1)[0]))
      try connection.write([1, 0])
      let request = try connection.read(5)
      let host = try connection.read(Int(request[4]))
      _ = try connection.read(2)
      try connection.write([5, 0, 0, 1, 127, 0, 0, 1, 0, 0])
      try connection.upgrade()
      try connection.answerClose()
      return [user, password, host].map { String(decoding: $0, as: UTF8.self) }
    }
    let test = SocketUnderTest(
      "ws://zero.invalid/",
      options: options(
        .socks5(
          host: "127.0.0.1", port: peer.port, credentials: .init(user: "ann", password: "p@ss"))))
    await test.recorder.waitForOpen()
    test.socket.close(code: 1000, reason: "")
    #expect(try await peer.value() == ["ann", "p@ss", "zero.invalid"])
  }

  @Test("a proxy that is not there is told apart from a server that is not there")
  func unknownProxy() async {
    let test = SocketUnderTest(
      "ws://127.0.0.1/", options: options(.http(host: SocketUnderTest.unknownHost, port: 3128)))
    #expect(await test.failure() == .proxy)
  }

  @Test("the environment's proxy is used, unless the options say to connect directly")
  func environment() async {
    // In a process of its own, because the environment is everybody's.
    await #expect(processExitsWith: .success) { @MainActor in
      let peer = try ScriptedPeer { connection in
        let connect = try connection.readHead()
        try connection.write("HTTP/1.1 200 OK\r\n\r\n")
        try connection.upgrade()
        try connection.answerClose()
        return connect
      }
      for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
      setenv("http_proxy", "http://127.0.0.1:\(peer.port)", 1)
      let url = "ws://\(SocketUnderTest.unknownHost):4848/"
      let test = SocketUnderTest(url, options: CurlTransportOptions())
      await test.recorder.waitForOpen()
      test.socket.close(code: 1000, reason: "")
      let connect = try await peer.value()
      try #require(connect.hasPrefix("CONNECT \(SocketUnderTest.unknownHost):4848 "))
      let direct = SocketUnderTest(url, options: .forTests)
      try #require(await direct.failure() == .nameResolution)
    }
  }

  @Test("the options' proxy is used for every host, whatever no_proxy says")
  func environmentWithoutProxy() async {
    await #expect(processExitsWith: .success) { @MainActor in
      for name in ["no_proxy", "NO_PROXY"] { setenv(name, "127.0.0.1,*", 1) }
      var options = CurlTransportOptions.forTests
      options.proxy = .http(host: SocketUnderTest.unknownHost, port: 3128)
      let test = SocketUnderTest("ws://127.0.0.1/", options: options)
      try #require(await test.failure() == .proxy)
    }
  }
}
