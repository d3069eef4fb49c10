import Testing
import ZeroProtocol

@Suite("Definitions by name")
struct DefinitionTreeTests {
  private func found(_ tree: DefinitionTree<Int>, _ path: String...) -> Int? {
    if case .definition(let definition)? = tree.find(path) { definition } else { nil }
  }

  @Test("a later definition replaces one, and a namespace replaces a definition on its way")
  func merging() {
    var tree = DefinitionTree<Int>()
    tree.add(1, at: ["a", "b"])
    tree.add(2, at: ["a", "b"])
    tree.add(3, at: ["a", "c"])
    #expect(found(tree, "a", "b") == 2)
    #expect(found(tree, "a", "c") == 3)
    tree.add(4, at: ["a", "b", "d"])
    #expect(found(tree, "a", "b") == nil)
    #expect(found(tree, "a", "b", "d") == 4)
    #expect(found(tree, "a", "c") == 3)
  }

  @Test("names are separated by points, those of queries also by bars")
  func paths() {
    #expect(DefinitionName.queryPath("a|b.c") == ["a", "b", "c"])
    #expect(DefinitionName.mutatorPath("a|b.c") == ["a|b", "c"])
    #expect(DefinitionName.queryPath("") == [""])
    #expect(DefinitionName.queryPath("a.") == ["a", ""])
  }
}
