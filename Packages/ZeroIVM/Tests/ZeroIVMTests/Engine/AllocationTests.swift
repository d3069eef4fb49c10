import CZeroAllocations
import Testing
import ZeroIVM
import ZeroProtocol

/// Heap blocks per push, which do not depend on the machine. The limits are what debug builds take;
/// release builds take none for most of these.
@Suite("Allocations")
struct AllocationTests {
  private static let pushes = 200

  /// Edits that change a column which no query joins by.
  private static func edits(_ branch: Branch, rank: Double) throws -> [SourceChange] {
    try (0..<pushes).map { place in
      .edit(
        old: try Shop.item(place, branch),
        new: try Shop.item(place, branch, rank: .number(rank + Double(place))))
    }
  }

  /// Blocks per edit in a table of `size` rows with views of `queries` open.
  private func blocks(size: Int = 1000, _ queries: AnyQuery...) throws -> Double {
    let branch = Branch(schema: Shop.schema)
    try branch.load("item", ContiguousArray((0..<size).map { try Shop.item($0, branch) }))
    let views = try queries.map { try branch.materialize($0) }
    for change in try Self.edits(branch, rank: 0) { try branch.push(change) }
    branch.commit()
    let changes = try Self.edits(branch, rank: 1)
    let before = zero_allocation_count()
    for change in changes {
      try branch.push(change)
      branch.commit()
    }
    let taken = zero_allocation_count() - before
    withExtendedLifetime(views) {}
    return Double(taken) / Double(Self.pushes)
  }

  #if os(Linux)
    @Test("the count counts")
    func counts() {
      let before = zero_allocation_count()
      let array = [Int](repeating: 1, count: 100)
      #expect(zero_allocation_count() > before)
      withExtendedLifetime(array) {}
    }
  #endif

  @Test("an edit takes a bounded number of blocks in every shape of query")
  func shapes() throws {
    let item = try Shop.query("item")
    #expect(try blocks() <= 2)
    #expect(try blocks(item) <= 10)
    #expect(try blocks(item.where("rank", .greater, .number(500))) <= 3)
    #expect(try blocks(item.orderBy("rank").limit(10)) <= 9)
    #expect(try blocks(item.related("notes")) <= 10)
    #expect(try blocks(item.whereExists("notes")) <= 3)
  }

  @Test("an edit takes no more blocks in a list of 20,000 rows than in one of 1,000")
  func independentOfSize() throws {
    let item = try Shop.query("item")
    let (few, many) = (try blocks(item), try blocks(size: 20_000, item))
    #expect(many <= few * 1.5 + 1)
  }
}
