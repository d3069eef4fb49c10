import ZeroProtocol

extension VectorRunner {
  static let javaScriptString = VectorRunner(fields: ["value", "string"]) { test in
    let value = try test.value("value").json()
    let text = value.map(\.javaScriptText) ?? "undefined"
    try expectEqual(text, try test.string("string"), "string")
  }

  static let compareStrings = VectorRunner(fields: ["a", "b", "utf8", "utf16"]) { test in
    let a = try test.value("a")
    let b = try test.value("b")
    if a.hasLoneSurrogates || b.hasLoneSurrogates {
      throw VectorValue.Inexpressible("a surrogate without its partner")
    }
    try expectEqual(TextOrder.utf8(try a.text(), try b.text()), try test.int("utf8"), "utf8")
    try expectEqual(TextOrder.utf16(try a.text(), try b.text()), try test.int("utf16"), "utf16")
  }

  static let escapeLike = VectorRunner(fields: ["in", "escaped"]) { test in
    let escaped = LikePattern.escape(try test.value("in").text())
    try expectEqual(escaped, try test.value("escaped").text(), "escaped")
  }

  static let like = VectorRunner(
    fields: ["pattern", "inputs", "like", "ilike", "throws", "flags", "badInput"]
  ) { test in
    guard let value = try test.value("pattern").json() else { throw VectorFailure("no pattern") }
    let pattern = value.javaScriptText
    if test.has("badInput") {
      // A value that is no text never reaches a pattern: the predicate on rows refuses it, which
      // the cases about filters cover.
      guard test.has("throws"), try test.value("badInput").json().map(isText) != true else {
        throw VectorFailure("badInput is matched")
      }
      return
    }
    if test.has("throws") {
      let ignoringCase = test.has("flags")
      try expectThrows("pattern") { try LikePattern(pattern, ignoringCase: ignoringCase) }
      return
    }
    let inputs = try test.array("inputs").map { try VectorValue($0) }
    for (field, ignoringCase) in [("like", false), ("ilike", true)] {
      let like = try LikePattern(pattern, ignoringCase: ignoringCase)
      for (input, expected) in zip(inputs, try test.array(field)) where !input.hasLoneSurrogates {
        let text = try input.text()
        try expectEqual(
          .bool(like.matches(text)), expected, "\(field) of \(text.debugDescription)")
      }
    }
  }

  private static func isText(_ value: JSONValue) -> Bool {
    if case .string = value { true } else { false }
  }
}
