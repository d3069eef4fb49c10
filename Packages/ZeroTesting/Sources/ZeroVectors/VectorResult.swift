/// What came of one file.
public struct VectorResult: Sendable {
  /// A case and what is to be said about it.
  public struct Note: Sendable {
    public let id: String
    public let message: String
  }

  public let layer: VectorLayer
  public let file: String
  /// How many cases the file has. Each is in exactly one of the groups below, unless the file as a
  /// whole failed.
  public let cases: Int
  public var passed = 0
  public var failed: [Note] = []
  /// IDs of the cases that cannot be run yet.
  public var pending: [String] = []
  /// Cases in which the reference is not followed on purpose, or that cannot be stated here.
  public var excepted: [Note] = []
  /// Exceptions of cases that the file does not have; that is no failure, since other files of the
  /// same form may be run.
  public var unusedExceptions: [String] = []
  /// Why the file could not be run at all.
  public var fileFailure: String?

  public init(layer: VectorLayer, file: String, cases: Int) {
    self.layer = layer
    self.file = file
    self.cases = cases
  }

  /// Whether nothing failed and every case is accounted for.
  public var isGood: Bool {
    fileFailure == nil && failed.isEmpty
      && passed + pending.count + excepted.count == cases
  }

  /// The failures in words, the first `limit` in full.
  public func failures(limit: Int = 5) -> String {
    var lines: [String] = []
    let place = "\(layer.rawValue)/\(file)"
    if let fileFailure { lines.append("\(place): \(fileFailure)") }
    lines += failed.prefix(limit).map { "\(place) \($0.id): \($0.message)" }
    if failed.count > limit { lines.append("\(place): \(failed.count - limit) more failures") }
    return lines.joined(separator: "\n")
  }
}
