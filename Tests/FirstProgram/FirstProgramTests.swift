import Foundation
import Testing
import Zero

struct FirstProgramTests {
  private static var folder: URL { URL(filePath: #filePath).deletingLastPathComponent() }

  @Test("the first program shows what it wrote, and finds it again on disk")
  @MainActor func runs() async throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "first-program-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let options = ZeroOptions.standard(cacheURL: nil, directory: directory)
    #expect(try await firstProgram(options) == ["Answer Bob", "Buy milk"])
    #expect(try FileManager.default.subpathsOfDirectory(atPath: directory).isEmpty == false)
  }

  @Test("the parts of a client are chosen by names after a dot")
  func spellings() throws {
    let url = try #require(URL(string: "https://zero.example"))
    var options = ZeroOptions(cacheURL: url, storage: .sqlite(), transport: .default)
    #expect(options.storage is SQLiteStoreProvider)
    options.storage = .memory
    options.storage = .default
    #expect(options.storage is SQLiteStoreProvider)
    options.transport = .default
    #if !canImport(Darwin)
      options.transport = .curl()
      #expect(options.transport is CurlSocketFactory)
    #endif
    #expect(options.cacheURL == url)
    #expect(ZeroOptions.standard(cacheURL: url).cacheURL == url)
    #expect(ZeroOptions.standard(cacheURL: "https://zero.example").cacheURL == url)
  }

  @Test("the README shows this very program")
  func readme() throws {
    let program = try String(
      contentsOf: Self.folder.appending(path: "FirstProgram.swift"), encoding: .utf8)
    let readme = try String(
      contentsOf: Self.folder.appending(path: "../../README.md"), encoding: .utf8)
    #expect(readme.contains("```swift\n" + program + "```"))
  }

  @Test("the guide shows code of this folder, and all of it")
  func guide() throws {
    let guide = try String(
      contentsOf: Self.folder.appending(path: "../../docs/guide.md"), encoding: .utf8)
    let code = try ["Guide.swift", "GuideTests.swift"].map {
      try String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8)
    }
    let shown = guide.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    for text in shown { #expect(code.contains { $0.contains(text) }, "\(text)") }
    let functions = [shown, code].map { $0.joined().components(separatedBy: "func ").count }
    #expect(functions[0] == functions[1])
  }
}
