import Testing
import ZeroProtocol

struct CookieTests {
  @Test(
    "numbers print as text that sorts like them",
    arguments: [(0, "00"), (10, "0a"), (35, "0z"), (36, "110"), (46_655, "2zzz")]
      as [(UInt64, String)])
  func lexi(number: UInt64, text: String) {
    #expect(Cookie.lexi(number) == text)
    #expect(Cookie.number(ofLexi: text) == number)
  }

  @Test("the largest number survives the way to text and back")
  func largest() { #expect(Cookie.number(ofLexi: Cookie.lexi(.max)) == .max) }

  @Test(
    "text that no number prints as is refused",
    arguments: ["", "0", "1", "001", "10a", "0A", "z", "czzzzzzzzzzzzz", "0-", "00:01"])
  func malformed(text: String) { #expect(Cookie.number(ofLexi: text) == nil) }

  @Test("no cookie comes before any cookie")
  func missing() {
    #expect(Cookie.compare(nil, "") == -1)
    #expect(Cookie.compare("00", nil) == 1)
    #expect(Cookie.compare(nil as String?, nil) == 0)
  }

  @Test("a configuration step sorts behind its state and, by text, behind a minor step")
  func steps() {
    #expect(Cookie.compare("2zzz", "2zzz:110") == -1)
    #expect(Cookie.compare("2zzz.01", "2zzz:01") == -1)
  }
}
