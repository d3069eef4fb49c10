import Testing
import ZeroVectors

/// Runs every recorded case that is in the repository.
struct ConformanceTests {
  private static let suite = VectorSuite(folder: folder)

  /// The vectors stand beside this file.
  private static var folder: String {
    let file = #filePath
    return file[..<(file.lastIndex(of: "/") ?? file.endIndex)] + "/Vectors"
  }

  @Test("the vectors are there")
  func folders() throws {
    for layer in VectorLayer.allCases {
      #expect(try !Self.suite.files([layer]).isEmpty, "\(layer.rawValue) has no files")
    }
  }

  @Test("every case comes out as recorded", arguments: try Self.suite.files())
  func file(_ file: VectorSuite.File) async {
    let result = await Self.suite.run(file)
    #expect(result.isGood, "\(result.failures())")
    #expect(
      result.passed + result.pending.count + result.excepted.count == result.cases,
      "\(file): not every case was run")
    #expect(result.unusedExceptions.isEmpty, "\(file): exceptions for cases that do not exist")
  }
}
