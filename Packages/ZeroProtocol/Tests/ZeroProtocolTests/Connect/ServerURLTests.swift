import Testing

@testable import ZeroProtocol

@Suite struct ServerURLTests {
  @Test(
    "a URL is printed as a WHATWG parser prints it",
    arguments: [
      ("http://a/b^c", "http://a/b^c"), ("http://a/b`|c", "http://a/b%60|c"),
      ("http://a/%zz", "http://a/%zz"), ("http://a/\u{7F}", "http://a/%7F"),
      ("http://1", "http://0.0.0.1/"), ("http://0x7f.1", "http://127.0.0.1/"),
      ("http://256", "http://0.0.1.0/"), ("http://a..b", "http://a..b/"),
      ("http://.", "http://./"), ("http://a.", "http://a./"),
      ("http://\u{FF41}.com", "http://a.com/"), ("http://a%41b", "http://aab/"),
      ("http://[1:2:0:0:5:0:0:8]", "http://[1:2::5:0:0:8]/"),
      ("http://[::ffff:1.2.3.4]", "http://[::ffff:102:304]/"), ("http://[::]", "http://[::]/"),
      ("http://[1::]", "http://[1::]/"), ("http://[::1.2.3.4]", "http://[::102:304]/"),
      ("http://xn--zca", "http://xn--zca/"), ("http://fa\u{DF}.de", "http://xn--fa-hia.de/"),
      ("http://a\u{AD}b", "http://ab/"), ("http://e\u{301}.com", "http://xn--9ca.com/"),
      ("http://日本。jp", "http://xn--wgv71a.jp/"), ("http://☃.net", "http://xn--n3h.net/"),
      ("http://\u{3A9}.gr", "http://xn--bya.gr/"), ("http://x:@h", "http://x@h/"),
      ("http://:p@h", "http://:p@h/"), ("http://a@b@c", "http://a%40b@c/"),
      ("http://h:", "http://h/"), ("http://h:0080", "http://h/"), ("http://h:0", "http://h:0/"),
      ("http://a/%2e%2E/b", "http://a/b"), ("http://a/b/.", "http://a/b/"),
      ("http://h\t/a\nb", "http://h/ab"), ("http://a!b", "http://a!b/"),
      ("https://h:80", "https://h:80/"), ("http://a{b}", "http://a{b}/"),
    ])
  func printing(text: String, expected: String) throws {
    #expect(try ServerURL(text).string == expected)
  }

  @Test(
    "what is no URL with a host is refused",
    arguments: [
      "http://xn--a", "http://h:65536", "http://h:8 0", "http://1.2.3.4.5", "http://a.1",
      "http://09", "http://4294967296", "http://a|b", "http://a\u{200D}b.com", "http://[1",
      "http://[::1::]", "http://[1:2:3:4:5:6:7:8:9]", "http://[12345::]", "http://[1.2.3.4]",
      "http://[::1.2.3.256]", "http://[::01.2.3.4]", "http://@", "http://a%00", "http://%FF",
      "http://[:1.2.3.4]", "http://xn--abc-",
    ])
  func refusing(text: String) {
    let error = #expect(throws: OptionError.self) { try ServerURL(text) }
    #expect(error?.code == .invalidURL)
  }

  @Test("nothing that is no URL traps")
  func hostileText() {
    let parts = [
      "http://", "https://", "[", "]", ":", "::", "@", "%", "%4", "%2e", "..", "/", "\\", "?",
      "#", "xn--", "a", "0x", "99999999999999999999", "\u{10FFFF}", "\u{301}", "é", " ", "\t",
    ]
    var state: UInt64 = 5
    for _ in 0..<20_000 {
      var text = "http://"
      for _ in 0..<6 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += parts[Int(state >> 33) % parts.count]
      }
      guard let url = try? ServerURL(text) else { continue }
      #expect((try? ServerURL(url.string))?.string == url.string, "\(text) (seed 5)")
    }
  }

  @Test(
    "Punycode goes both ways",
    arguments: [
      ("bücher", "bcher-kva"), ("☃", "n3h"), ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
      ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"),
    ])
  func punycode(text: String, encoded: String) {
    #expect(Punycode.encode(Array(text.unicodeScalars)) == encoded)
    #expect(Punycode.decode(Array(encoded.utf8)) == Array(text.unicodeScalars))
  }

  @Test("hostile Punycode overflows nothing")
  func hostilePunycode() {
    #expect(Punycode.decode(Array(repeating: UInt8(ascii: "9"), count: 5000)) == nil)
    #expect(Punycode.decode([0xFF]) == nil)
  }
}
