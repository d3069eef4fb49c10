import Foundation
import Testing
import ZeroClient
import ZeroContracts
import ZeroProtocol
import ZeroStoreMemory

/// How options are written.
@MainActor @Suite("Options") struct OptionTests {
  @Test("a URL is given as such or as text, and nil is neither")
  func urls() throws {
    let url = URL(string: "https://zero.example/a")
    #expect(ZeroOptions(cacheURL: url).cacheURL == url)
    #expect(ZeroOptions(cacheURL: "https://zero.example/a").cacheURL == url)
    let configured: String? = "https://zero.example/a"
    #expect(ZeroOptions(cacheURL: configured).cacheURL == url)
    #expect(ZeroOptions(cacheURL: nil).cacheURL == nil)
    #expect(ZeroOptions().cacheURL == nil)
    var options = ZeroOptions()
    options.mutateURL = URL(string: "https://api.example/mutate?a=1")
    #expect(options.mutateURL?.absoluteString == "https://api.example/mutate?a=1")
    options.mutateURL = nil
    #expect(options.mutateURL == nil)
  }

  @Test("the client tells the URL that it uses")
  func usedURL() throws {
    #expect(try TestClient().zero.cacheURL == URL(string: "https://zero.example/"))
    let local = try TestClient { $0.cacheURL = nil }
    #expect(local.zero.cacheURL == nil)
  }

  @Test("text that is no URL is an error, not a client without a server")
  func badText() {
    let error = #expect(throws: ZeroError.self) {
      try Zero(
        schema: .tracker, context: Session(user: "ann"),
        options: ZeroOptions(cacheURL: "https://", transport: InMemorySocketFactory()))
    }
    #expect(error?.message.hasPrefix("ZeroOptions.cacheURL ") == true)
  }

  @Test("a URL without a transport is checked all the same, and that nothing connects is logged")
  func noTransport() throws {
    let log = RecordedLog()
    let open = { (url: String) in
      var options = ZeroOptions(cacheURL: url)
      options.logSink = log
      return try Zero(schema: .tracker, context: Session(user: "ann"), options: options)
    }
    #expect(throws: ZeroError.self) { try open("ftp://zero.example") }
    let zero = try open("https://zero.example")
    #expect(zero.cacheURL == nil)
    #expect(log.records.contains { $0.message.contains("ZeroOptions.transport is not") })
  }

  @Test("URLs for mutations and queries go to the server as they are given")
  func endpoints() throws {
    let client = try TestClient {
      $0.mutateURL = URL(string: "https://api.example/mutate?a=%20b")
      $0.queryURL = URL(string: "https://api.example/query")
      // Too short for the first message, which then comes as text.
      $0.maxHeaderLength = 10
    }
    client.connect()
    let first = client.socket.sentTexts.first ?? ""
    #expect(first.contains(#""userPushURL":"https://api.example/mutate?a=%20b""#))
    #expect(first.contains(#""userQueryURL":"https://api.example/query""#))
  }

  @Test("the schema goes with the first message if there was no cookie when the attempt began")
  func schemaOfTheAttempt() throws {
    let client = try TestClient { $0.maxHeaderLength = 10 }
    client.socket.accept()
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    #expect(client.zero.diagnostics().cookie != nil)
    client.connect()
    #expect(client.socket.sentTexts.first?.contains("clientSchema") == true)
  }

  @Test("storage is chosen by a name after a dot")
  func storage() {
    let options = ZeroOptions(cacheURL: nil, storage: .memory)
    #expect(options.storage is MemoryStoreProvider)
    var changed = ZeroOptions()
    changed.storage = .memory
    changed.logSink = .default
    #expect(changed.logSink is ConsoleLogSink)
  }

  @Test("logs go to standard error unless something else is chosen, from warnings up")
  func logs() {
    #expect(ZeroOptions().logSink is ConsoleLogSink)
    #expect(ZeroOptions().logLevel == .warn)
  }

  @Test("the library tells its version")
  func version() { #expect(Zero.version == "0.1.0") }
}
