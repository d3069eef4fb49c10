/// All vectors of a folder with the sub-folders `primitives`, `queries`, `client`, `transcripts`.
public struct VectorSuite: Sendable {
  public let folder: String

  public init(folder: String) { self.folder = folder }

  /// A file of the suite.
  public struct File: Sendable, Hashable, CustomStringConvertible {
    public let layer: VectorLayer
    public let name: String
    public var description: String { "\(layer.rawValue)/\(name)" }
  }

  /// The files there are, by layer and name. Sub-folders that are missing are left out.
  public func files(_ layers: [VectorLayer] = VectorLayer.allCases) throws -> [File] {
    try layers.flatMap { layer in
      try names(inFolder: "\(folder)/\(layer.rawValue)")
        .filter { $0.hasSuffix(".json") }.sorted()
        .map { File(layer: layer, name: String($0.dropLast(5))) }
    }
  }

  /// Runs one file. Whatever goes wrong is in the result, an unknown file included.
  public func run(_ file: File) async -> VectorResult {
    do {
      let vectors = try VectorFile(
        file.name, file.layer, folder: "\(folder)/\(file.layer.rawValue)")
      guard let runner = VectorSuite.runner(for: vectors) else {
        var result = VectorResult(layer: file.layer, file: file.name, cases: vectors.cases.count)
        result.fileFailure = "no runner knows this file"
        return result
      }
      return await runner.run(vectors)
    } catch {
      var result = VectorResult(layer: file.layer, file: file.name, cases: 0)
      result.fileFailure = "\(error)"
      return result
    }
  }

  // MARK: -

  private static func runner(for file: VectorFile) -> VectorRunner? {
    switch file.layer {
    case .primitives:
      valueRunners[file.name] ?? queryRunners[file.name] ?? messageRunners[file.name]
    case .queries: engineRunner(of: file)
    case .client: scenarioRunner(of: file)
    // All transcripts have the same form, whatever their name.
    case .transcripts: transcriptRunner
    }
  }
}
