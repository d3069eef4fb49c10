import BenchKit
@_spi(Engine) import ZeroIVM
import ZeroProtocol

extension EngineBench {
  /// Comparing columns of rows in place, as the engine sorts them; by the call that is open to
  /// everybody, which counts references to the rows; and loose values. Each with the next of a list.
  func values() throws {
    guard run.wants("value.compare") else { return }
    let node = NodePeer.start()
    let passes = 200
    for kind in ComparedValues.all {
      let rows = ContiguousArray(kind.rows())
      let values = rows.map { $0[1] }
      var peers = [
        Contender.onProcessor("Row.compare") {
          var sum = 0
          for _ in 0..<passes {
            for i in 1..<rows.count { sum &+= try Row.compare(rows[i - 1], 1, rows[i], 1) }
          }
          blackHole(sum)
        },
        Contender.onProcessor("Value.compare") {
          var sum = 0
          for _ in 0..<passes {
            for i in 1..<values.count { sum &+= try Value.compare(values[i - 1], values[i]) }
          }
          blackHole(sum)
        },
      ]
      if let node {
        let name = kind.name.split(separator: " ").joined(separator: "-")
        _ = try node.ask("values \(name) \(NodePeer.json(kind.values.map(\.json)))")
        peers.append(node.contender("Node, same order", "compare \(name) \(passes)"))
      }
      try run.compare(
        "value.compare \(kind.name)",
        unit: .nanoseconds(per: passes * (rows.count - 1), "comparison"),
        ours: Contender.onProcessor("ours, as the engine") {
          var sum = 0
          for _ in 0..<passes { sum &+= try ColumnOrder.balance(ofNeighbors: rows, column: 1) }
          blackHole(sum)
        }, peers: peers)
    }
  }
}

/// A thousand values of one kind in no order.
private struct ComparedValues {
  let name: String
  let values: [(value: Value, json: String)]

  static let all = [number, ascii, mixed, null]

  private static let number = ComparedValues("number") { random in
    let number = random.below(1_000_000)
    return (.number(Double(number)), "\(number)")
  }
  private static let ascii = ComparedValues("string ASCII") { random in
    text("issue-\(100_000 + random.below(900_000))-of-a-list")
  }
  private static let mixed = ComparedValues("string mixed") { random in
    let words = ["Übersicht", "über", "数据-库", "🎉party", "naïve", "plain", "\u{FF5E}wide", "źródło"]
    return text("\(words[random.below(words.count)])-\(random.below(1000))")
  }
  private static let null = ComparedValues("null") { random in
    random.below(2) == 0 ? (.null, "null") : (.number(1), "1")
  }

  private init(_ name: String, _ make: (inout SplitMix) -> (Value, String)) {
    var random = SplitMix(seed: 3)
    self.name = name
    values = (0..<1000).map { _ in make(&random) }
  }

  private static func text(_ text: String) -> (Value, String) { (.string(text), "\"\(text)\"") }

  func rows() -> [Row] {
    let type: ColumnType =
      if case .string = values[0].value { .string } else { .number }
    let layout = RowLayout(
      table: "value", columns: [.init("id", .number), .init("value", type, optional: true)],
      primaryKey: ["id"])
    var builder = RowBuilder()
    return values.enumerated().map { place, entry in
      builder.begin(layout)
      builder.set(0, Double(place))
      builder.set(1, entry.value)
      return builder.finish()
    }
  }
}
