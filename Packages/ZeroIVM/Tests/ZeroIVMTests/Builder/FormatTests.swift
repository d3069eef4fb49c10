import Testing
import ZeroIVM

@Suite("Format")
struct FormatTests {
  @Test("a relationship asked for again replaces its format in place")
  func replacesInPlace() {
    var format = Format()
    format["owner"] = Format(singular: true)
    format["comments"] = Format()
    format["owner"] = Format()
    #expect(format.relationships.map(\.name) == ["owner", "comments"])
    #expect(format["owner"]?.singular == false)
  }

  @Test("names are told apart by their bytes, not by canonical equivalence")
  func comparesBytes() {
    var format = Format()
    format["\u{e9}"] = Format(singular: true)
    #expect(format["e\u{301}"] == nil)
    format["e\u{301}"] = Format()
    #expect(format.relationships.count == 2)
  }

  @Test("formats are equal whatever the order of their relationships")
  func equality() {
    let a = Format(relationships: [("x", Format()), ("y", Format(singular: true))])
    let b = Format(relationships: [("y", Format(singular: true)), ("x", Format())])
    #expect(a == b)
    #expect(a != Format(relationships: [("x", Format()), ("y", Format())]))
    #expect(a != Format(singular: true, relationships: a.relationships))
  }
}
