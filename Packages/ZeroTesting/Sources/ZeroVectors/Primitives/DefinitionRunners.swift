import ZeroProtocol

extension VectorRunner {
  static let definitionNames = VectorRunner(
    fields: ["path", "queryName", "mutatorName", "queryFound", "mutatorFound"]
  ) { test in
    let path = try strings(try test.json("path"))
    var tree = DefinitionTree<Int>()
    tree.add(1, at: path)
    let name = path.joined(separator: ".")
    try expectEqual(name, try test.string("queryName"), "queryName")
    try expectEqual(name, try test.string("mutatorName"), "mutatorName")
    func isFound(_ path: [String]) -> Bool {
      if case .definition? = tree.find(path) { true } else { false }
    }
    try expectEqual(
      isFound(DefinitionName.queryPath(name)), try test.bool("queryFound"), "queryFound")
    try expectEqual(
      isFound(DefinitionName.mutatorPath(name)), try test.bool("mutatorFound"), "mutatorFound")
  }

  static let definitionLookup = VectorRunner(
    fields: ["name", "found", "throws"], headerFields: ["defined"],
    prepare: { file in
      var tree = DefinitionTree<String>()
      for name in try strings(try file.header("defined")) {
        tree.add(name, at: DefinitionName.queryPath(name))
      }
      let definitions = tree
      return { test in
        let found: String? =
          switch definitions.find(DefinitionName.queryPath(try test.string("name"))) {
          case .definition(let name)?: name
          case .namespace?: "namespace"
          case nil: nil
          }
        let expected = try test.value("found")
        // Where nothing is found, running the query fails too.
        try expectEqual(found == nil, test.has("throws"), "failure")
        try expectEqual(
          found ?? "undefined", expected.isUndefined ? "undefined" : try expected.text(), "found")
      }
    })
}
