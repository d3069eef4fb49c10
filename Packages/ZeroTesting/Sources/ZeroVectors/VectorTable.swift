/// The results of a suite as a table, with the first failures in full below it.
public struct VectorTable: CustomStringConvertible {
  private var rows: [[String]] = [
    ["file", "cases", "passed", "failed", "pending", "excepted"]
  ]
  private var failures: [String] = []
  private var totals = [0, 0, 0, 0, 0]

  /// Whether nothing failed.
  public private(set) var isGood = true

  public init() {}

  public mutating func add(_ result: VectorResult) {
    let failed = result.fileFailure == nil ? result.failed.count : result.cases
    let counts = [
      result.cases, result.passed, failed, result.pending.count, result.excepted.count,
    ]
    for (place, count) in counts.enumerated() { totals[place] += count }
    rows.append(["\(result.layer.rawValue)/\(result.file)"] + counts.map { $0 == 0 ? "" : "\($0)" })
    if !result.isGood {
      isGood = false
      let text = result.failures()
      failures.append(
        text.isEmpty ? "\(result.layer.rawValue)/\(result.file): cases are not accounted for" : text
      )
    }
  }

  public var description: String {
    let rows = rows + [["total"] + totals.map(String.init)]
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }.joined(separator: "  ")
    }
    return (lines + (failures.isEmpty ? [] : [""]) + failures).joined(separator: "\n")
  }
}
