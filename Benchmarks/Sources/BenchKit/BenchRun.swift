import Foundation

/// One invocation of a benchmark executable: reads its arguments, runs contenders in alternating
/// rounds and prints a table.
///
///     NAME [filter ...] [--rounds N] [--max N] [--json FILE]
///
/// A filter is a part of benchmark names; `--max` leaves out larger sizes of curves.
public final class BenchRun {
  /// Rounds of each contender, at least seven unless asked for less.
  public let rounds: Int
  private let filters: [String]
  private let maximum: Int?
  private let jsonPath: String?
  private var rows: [Row] = []
  /// How many times as fast this machine is as the one of the recorded figures; nil if unknown.
  public var machineFactor: Double?

  private struct Row: Encodable {
    var name: String
    var size: Int
    var contender: String
    var seconds: Double
    var value: Double
    var unit: String
    var ratio: Double?
    var ratioLower: Double?
    var ratioUpper: Double?
    /// A peer's figure of another day, in the unit of this row.
    var recorded: Double?
    /// The ratio to it if the peer had run on this machine.
    var calibratedRatio: Double?
    var note: String
  }

  public init(_ title: String, arguments: [String] = CommandLine.arguments) {
    var filters: [String] = []
    var rounds = 7
    var maximum: Int?
    var jsonPath: String?
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "--rounds": rounds = rest.popFirst().flatMap { Int($0) } ?? rounds
      case "--max": maximum = rest.popFirst().flatMap { Int($0) }
      case "--json": jsonPath = rest.popFirst()
      default: filters.append(argument)
      }
    }
    self.rounds = max(1, rounds)
    self.filters = filters
    self.maximum = maximum
    self.jsonPath = jsonPath
    print("# \(title)\n\n\(Machine.description)\n")
    print(
      "Medians of \(self.rounds) alternating rounds. A ratio is ours against the peer, in speed,")
    print("with the quarters of its spread.\n")
    Self.line("benchmark", "size", "contender", "value", "ratio", "")
  }

  /// Whether the benchmark of that name was asked for.
  public func wants(_ name: String) -> Bool {
    filters.isEmpty || filters.contains { name.contains($0) }
  }

  /// Whether a figure under that name was asked for: by its group, or by more of its name.
  public func wantsGroup(_ group: String) -> Bool {
    filters.isEmpty || filters.contains { group.contains($0) || $0.hasPrefix(group) }
  }

  /// Whether the benchmark of that very name was asked for, with no filter or by one that is no part of
  /// others' names alone.
  public func wantsExactly(_ name: String) -> Bool { filters.isEmpty || filters.contains(name) }

  /// Whether a filter is exactly that name: for what takes long and is left out otherwise.
  public func wantsByName(_ name: String) -> Bool { filters.contains(name) }

  /// The sizes of a curve that were asked for.
  /// - Parameter limit: the largest size if `--max` is not given.
  public func sizes(
    _ sizes: [Int] = [1000, 10_000, 100_000, 1_000_000], upTo limit: Int = .max
  ) -> [Int] {
    sizes.filter { $0 <= maximum ?? limit }
  }

  /// How a benchmark's value is computed from the seconds of one round.
  public enum Unit {
    /// Bytes processed per round.
    case megabytesPerSecond(Int)
    case gigabytesPerSecond(Int)
    /// Operations per round.
    case perSecond(Int, String)
    case microseconds(per: Int, String)
    case nanoseconds(per: Int, String)
    case milliseconds

    func value(_ seconds: Double) -> Double {
      switch self {
      case .megabytesPerSecond(let bytes): Double(bytes) / seconds / 1e6
      case .gigabytesPerSecond(let bytes): Double(bytes) / seconds / 1e9
      case .perSecond(let count, _): Double(count) / seconds
      case .microseconds(let count, _): seconds * 1e6 / Double(count)
      case .nanoseconds(let count, _): seconds * 1e9 / Double(count)
      case .milliseconds: seconds * 1e3
      }
    }

    var name: String {
      switch self {
      case .megabytesPerSecond: "MB/s"
      case .gigabytesPerSecond: "GB/s"
      case .perSecond(_, let what): "\(what)/s"
      case .microseconds(_, let what): "µs/\(what)"
      case .nanoseconds(_, let what): "ns/\(what)"
      case .milliseconds: "ms"
      }
    }
  }

  /// Measures `ours` and its peers in alternating rounds after one round of warm-up each. Does nothing
  /// and returns nil if the benchmark was not asked for.
  /// - Parameter recorded: a peer's time of another day, in the unit.
  /// - Returns: the median seconds of `ours`.
  @discardableResult
  public func compare(
    _ name: String, size: Int = 0, unit: Unit, ours: Contender, peers: [Contender] = [],
    note: String = "", recorded: Double? = nil
  ) throws -> Double? {
    guard wants(name) else { return nil }
    let contenders = [ours] + peers
    var times = contenders.map { _ in [Double]() }
    for contender in contenders { _ = try contender.run() }
    for _ in 0..<rounds {
      for (place, contender) in contenders.enumerated() { times[place].append(try contender.run()) }
    }
    for (place, contender) in contenders.enumerated() {
      let seconds = Spread(times[place]).median
      if place == 0, recorded != nil {
        figure(
          name, size: size, contender: contender.name, unit.value(seconds), unit.name,
          recorded: recorded, note: note)
        continue
      }
      let ratio = place == 0 ? nil : Spread(zip(times[place], times[0]).map { $0 / $1 })
      record(
        Row(
          name: name, size: size, contender: contender.name, seconds: seconds,
          value: unit.value(seconds), unit: unit.name, ratio: ratio?.median,
          ratioLower: ratio?.lower, ratioUpper: ratio?.upper, note: place == 0 ? note : ""))
    }
    return Spread(times[0]).median
  }

  /// Whether less of a figure is better or more, and whether a faster machine changes it.
  public enum Direction {
    case less
    case more
    /// Bytes and counts: less is better on any machine.
    case lessOnAnyMachine
  }

  /// Records a figure that was measured elsewhere: bytes, counts, a percentile.
  /// - Parameter recorded: a peer's figure of another day, in the same unit.
  public func figure(
    _ name: String, size: Int = 0, contender: String = "ours", _ value: Double, _ unit: String,
    recorded: Double? = nil, _ direction: Direction = .less, note: String = ""
  ) {
    guard wants(name) else { return }
    let ratio = recorded.map { direction == .more ? value / $0 : $0 / value }
    let calibrated: Double? =
      switch direction {
      case .lessOnAnyMachine: nil
      case .less, .more: ratio.flatMap { ratio in machineFactor.map { ratio / $0 } }
      }
    record(
      Row(
        name: name, size: size, contender: contender, seconds: 0, value: value, unit: unit,
        ratio: ratio, recorded: recorded, calibratedRatio: calibrated, note: note))
  }

  /// Prints the order of growth that a curve fits.
  public func curve(_ name: String, _ points: [(size: Int, seconds: Double)]) {
    guard wants(name), points.count > 1 else { return }
    print("\(name): grows as n^\(String(format: "%.2f", fittedOrder(points)))")
  }

  /// Writes the figures to the file given by `--json`.
  public func finish() throws {
    guard let jsonPath else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(rows).write(to: URL(fileURLWithPath: jsonPath))
  }

  // MARK: -

  private func record(_ row: Row) {
    rows.append(row)
    var notes = row.note.isEmpty ? [] : [row.note]
    let ratio = row.ratio.map { ratio in
      if let recorded = row.recorded {
        notes.insert("recorded \(Self.short(recorded))", at: 0)
        guard let calibrated = row.calibratedRatio else { return "\(Self.short(ratio))×" }
        return "\(Self.short(ratio))× / \(Self.short(calibrated))×"
      }
      let spread = [row.ratioLower ?? ratio, row.ratioUpper ?? ratio].map(Self.short)
      return "\(Self.short(ratio))× (\(spread[0])…\(spread[1]))"
    }
    Self.line(
      row.name, row.size == 0 ? "" : "\(row.size)", row.contender,
      "\(Self.short(row.value)) \(row.unit)", ratio ?? "", notes.joined(separator: "; "))
  }

  private static func short(_ value: Double) -> String {
    let size = value.magnitude
    let digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 || size == 0 ? 2 : 3
    return String(format: "%.\(digits)f", value)
  }

  private static func line(_ cells: String...) {
    let widths = [29, 9, 16, 18, 22, 0]
    let padded = zip(cells, widths).map { cell, width in
      cell + String(repeating: " ", count: max(0, width - cell.count))
    }
    print(padded.joined(separator: " "))
    fflush(nil)
  }
}

/// Keeps the optimizer from leaving out work whose result is not used.
@inline(never) public func blackHole<T>(_ value: T) { withExtendedLifetime(value) {} }
