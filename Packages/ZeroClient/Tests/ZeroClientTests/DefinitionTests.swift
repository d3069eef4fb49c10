import Testing
import ZeroIVM
import ZeroProtocol

@testable @_spi(Engine) import ZeroClient

@Suite("Definitions")
struct DefinitionTests {
  private static let session = Session(user: "ann")
  private static let titled = defineQuery("issue.maybeTitled") { (title: String?, _: Session) in
    title.map { zql.issue.where(\.title, $0) } ?? zql.issue
  }

  @Test("nil of optional arguments is a call without arguments")
  func nilArguments() throws {
    let none = try Self.titled().query(Self.session)
    #expect(none.customQueryID == CustomQueryID(name: "issue.maybeTitled", args: []))
    #expect(try Self.titled(nil).query(Self.session).customQueryID == none.customQueryID)
    let some = try Self.titled("a").query(Self.session)
    #expect(some.customQueryID == CustomQueryID(name: "issue.maybeTitled", args: [.string("a")]))
  }

  @Test("a JSON null as arguments travels as it is")
  func nullArguments() throws {
    let query = defineQuery("issue.any") { (_: JSONValue, _: Session) in zql.issue }
    #expect(try query(.null).query(Self.session).customQueryID?.args == [.null])
    #expect(try query.reencoded(.null) == .null)
  }

  @Test("a query of arguments as they travel is the one of typed arguments")
  func travelling() throws {
    let named = try Queries.byID.query(.string("1"), Self.session)
    let typed = try Queries.byID("1").query(Self.session)
    #expect(named.name == "issue.byID")
    #expect(named.args == [.string("1")])
    #expect(named.ast == typed.ast)
    #expect(named.format == typed.format)
    #expect(throws: DecodingError.self) { try Queries.byID.query(.number(1), Self.session) }
    #expect(throws: DecodingError.self) { try Queries.all.query(.number(1), Self.session) }
    #expect(throws: InputValidationError.self) {
      try Queries.titled.query(.string(""), Self.session)
    }
  }
}
