import Testing
import ZeroProtocol

struct LikePatternTests {
  @Test("a pattern with many runs does not take exponential time")
  func manyRuns() throws {
    let pattern = try LikePattern(String(repeating: "%a", count: 40) + "b", ignoringCase: true)
    #expect(!pattern.matches(String(repeating: "a", count: 4000)))
  }

  @Test("the last piece does not overlap what the first has taken")
  func overlap() throws {
    #expect(try !LikePattern("ab%ba", ignoringCase: false).matches("aba"))
    #expect(try LikePattern("ab%ba", ignoringCase: false).matches("abba"))
  }

  @Test("bytes of one character are not taken for those of another")
  func characterBoundary() throws {
    #expect(try !LikePattern("%\u{A9}", ignoringCase: false).matches("\u{E9}"))
  }

  @Test("a pattern that ends with the escape character is refused", arguments: [true, false])
  func danglingEscape(ignoringCase: Bool) {
    #expect(throws: LikePatternError.self) { try LikePattern("a\\", ignoringCase: ignoringCase) }
  }
}
