import BenchKit

/// What the reference client needed for the same workloads with 100,000 issues, as recorded in Node on a
/// machine of the same kind: milliseconds, or operations per second.
enum Reference {
  static let figures: [String: Double] = [
    "initial.10": 10_900, "initial.100": 66_180, "fullSync": 17_660, "openViews.10": 106,
    "pokeEdits1.10": 4.89, "pokeEdits1.100": 7.17, "pokeEdits1000.10": 269,
    "pokeEdits1000.100": 1324, "rebase1.10": 145, "rebase1.100": 146, "rebase1000.10": 435,
    "rebase1000.100": 1709, "mutateToListener.10": 1.98, "mutateToListener.100": 3.33,
    "sustained.10": 252, "sustained.100": 112, "burst100.10": 163, "burst100.100": 414,
    "offline.make.10": 3587, "offline.make.100": 7278, "offline.settled.10": 456,
    "offline.settled.100": 668, "materialize.list": 0.457, "materialize.page": 1.63,
    "materialize.withComments": 25.8, "materialize.labeled": 18.2, "materialize.byID": 0.229,
    "coldStart.mem.list": 2163, "coldStart.mem.listAndAll": 4146, "coldStart.file.list": 2760,
  ]
}

extension BenchRun {
  /// Records a time in milliseconds beside the recorded one of the reference.
  func time(_ name: String, size: Int, _ samples: [Double]) {
    let sorted = samples.sorted()
    guard !sorted.isEmpty else { return }
    let median = sorted[sorted.count / 2]
    let last = sorted[min(sorted.count - 1, sorted.count * 9 / 10)]
    var note = "p90 \(Self.rounded(last))"
    if size == 100_000, let reference = Reference.figures[name] {
      note +=
        "; recorded reference \(Self.rounded(reference)), \(Self.rounded(reference / median))×"
    }
    figure(name, size: size, median, "ms", note: note)
  }

  /// Records a rate beside the recorded one of the reference.
  func rate(_ name: String, size: Int, _ perSecond: Double) {
    var note = ""
    if size == 100_000, let reference = Reference.figures[name] {
      note =
        "recorded reference \(Self.rounded(reference)), \(Self.rounded(perSecond / reference))×"
    }
    figure(name, size: size, perSecond, "/s", note: note)
  }

  private static func rounded(_ value: Double) -> String {
    let digits = value >= 100 ? 1.0 : value >= 10 ? 10 : 100
    return "\((value * digits).rounded() / digits)"
  }
}

/// The milliseconds that `body` takes.
@MainActor func measure(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return (ContinuousClock.now - start).seconds * 1000
}
