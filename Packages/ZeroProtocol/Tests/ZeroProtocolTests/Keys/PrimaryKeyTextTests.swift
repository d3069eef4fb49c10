import Testing
import ZeroProtocol

struct PrimaryKeyTextTests {
  @Test("a key column without a value is an error that names it")
  func missing() throws {
    let error = try #require(throws: PrimaryKeyError.self) {
      try primaryKeyText([.string("a"), .null])
    }
    #expect(error.position == 1)
  }

  @Test("canonically equivalent keys are different keys")
  func equivalence() throws {
    let composed = try primaryKeyText([.string("\u{E9}"), .number(1)])
    let decomposed = try primaryKeyText([.string("e\u{301}"), .number(1)])
    #expect(composed != decomposed)
  }
}
