import Foundation
import Testing
import ZeroContracts
import ZeroProtocol
import ZeroTesting

@Suite("Malformed drift files") @MainActor
struct MalformedDriftTests {
  private nonisolated static let query = ["queries", "issues.byStatus", "samples", "open"]
  private nonisolated static let mutator = ["mutators", "issue.close", "samples", "open issue"]

  /// Places, what stands there, and what is said about it.
  private nonisolated static let cases: [(path: [String], value: JSONValue?, text: String)] = [
    (["format"], .string("zero-drift/2"), "\"zero-drift/2\""),
    (["format"], nil, "format is missing"),
    (["protocol"], .string("52"), "protocol is not an integer"),
    (["zero"], .number(1), "zero is not a string"),
    (["schemaHash"], nil, "schemaHash is missing"),
    (["schemaHash"], .number(1), "schemaHash is not a string"),
    (["tables"], .null, "tables is not known"),
    (["queries"], .object([:]), "queries is not an array"),
    (["mutators"], nil, "mutators is missing"),
    (["queries", "issues.byStatus", "name"], .null, "queries[0].name is not a string"),
    (["queries", "0"], .string("x"), "queries[0] is no object"),
    (["queries", "issues.byStatus", "name"], .string("issues.mine"), "twice"),
    (["queries", "issues.byStatus", "samples"], nil, "queries[0].samples is missing"),
    (["queries", "issues.byStatus", "note"], .null, "queries[0].note is not known"),
    (query + ["label"], nil, "queries[0].samples[0].label is missing"),
    (query + ["ast"], nil, "samples[0].ast is missing"),
    (query + ["ast"], .array([]), "ast is no query"),
    (query + ["ast", "table"], nil, "ast is no query"),
    (query + ["astHash"], .number(1), "astHash is not a string"),
    (query + ["queryID"], nil, "queryID is missing"),
    (query + ["format"], .null, "format is no object"),
    (query + ["format", "singular"], nil, "format.singular is missing"),
    (query + ["format", "singular"], .number(0), "singular is not true or false"),
    (query + ["format", "relationships", "owner"], .null, "relationships.owner is no object"),
    (query + ["hash"], .null, "samples[0].hash is not known"),
    (
      ["queries", "issues.byID", "samples", "empty id", "error"], .string("x"),
      "samples[1].error is no object"
    ),
    (query + ["error"], .object(["message": .string("x")]), "is not known"),
    (
      ["mutators", "issue.notify", "serverOnly"], .string("yes"), "serverOnly is not true or false"
    ),
    (["mutators", "issue.notify", "samples", "one", "seed"], .object([:]), "seed is not known"),
    (mutator + ["mutationID"], .number(1.5), "mutationID is not an integer"),
    (mutator + ["mutationID"], .number(1e300), "mutationID is not an integer"),
    (mutator + ["clientID"], .null, "clientID is not a string"),
    (mutator + ["outcome"], nil, "outcome is missing"),
    (mutator + ["outcome", "type"], .string("zero"), "neither \"success\" nor \"app\""),
    (mutator + ["outcome", "type"], .string("app"), "outcome.message is missing"),
    (mutator + ["outcome", "message"], .string("x"), "outcome.message is not known"),
    (mutator + ["changes"], .null, "changes is not an array"),
    (mutator + ["changes", "0"], .null, "changes[0] is no object"),
    (mutator + ["changes", "0", "op"], .string("change"), "none of \"add\""),
    (mutator + ["changes", "0", "op"], .string("add"), "is of kind add and has before"),
    (mutator + ["changes", "0", "table"], .string("tissue"), "\"tissue\""),
    (mutator + ["changes", "0", "key"], .array([.string("2")]), "key is [\"2\"]"),
    (mutator + ["changes", "0", "after"], nil, "changes[0].after is missing"),
    (mutator + ["changes", "0", "after", "titel"], .null, "column \"titel\""),
    (mutator + ["seed"], nil, "seed is missing"),
    (mutator + ["seed", "tissue"], .array([]), "\"tissue\""),
    (mutator + ["seed", "issue"], .null, "seed.issue is no array"),
    (mutator + ["seed", "issue", "0"], .string("x"), "seed.issue[0] is no object"),
    (mutator + ["seed", "issue", "0", "id"], .null, "key column \"id\""),
    (mutator + ["seed", "issue", "0", "titel"], .null, "column \"titel\""),
    (mutator + ["seed", "issue", "0", "id"], .string("3"), "seed cannot be loaded"),
  ]

  @Test("a part that is not as it should be is told with its place", arguments: cases.indices)
  func parts(_ number: Int) throws {
    let (path, value, text) = Self.cases[number]
    let failures = try DriftDocument().with(path, value: value).failures()
    let malformed = failures.filter { $0.kind == .malformedFile }
    #expect(malformed.contains { $0.message.contains(text) }, "\(path): \(failures)")
  }

  @Test("the other samples are checked all the same")
  func others() throws {
    let failures = try DriftDocument().with(Self.query + ["ast"], value: nil)
      .with(["queries", "issues.mine", "samples", "ann", "queryID"], value: .string("abc"))
      .failures()
    #expect(failures.map(\.kind) == [.malformedFile, .queryID])
    #expect(failures.first?.subject == .query("issues.byStatus"))
    #expect(failures.first?.sample == "open")
  }

  @Test("what is no JSON, no object or no file is told")
  func files() throws {
    for text in ["", "{", "[]", "null", "{\"format\":\"zero-drift/1\"", "\u{FEFF}{}"] {
      let failures = Drift.failures(
        vectors: Array(text.utf8), schema: .app, queries: IssueQueries.all,
        mutators: IssueMutators.all)
      #expect(failures.map(\.kind) == [.malformedFile], "\(text)")
      #expect(failures.first?.subject == .file)
    }
    let missing = Drift.failures(
      vectors: URL(filePath: "/no/such/file.json"), schema: .app, queries: IssueQueries.all,
      mutators: IssueMutators.all)
    #expect(missing.map(\.kind) == [.malformedFile])
  }

  @Test("damaged files are told, or change nothing, and never crash")
  func damage() throws {
    let seed = TestSeed.value
    var state = seed
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let whole = try DriftDocument().bytes
    let words = ["null", "1e400", "[]", "{}", "\"\"", "true", "-1", "}", "[[", "\u{0}"]
    for _ in 0..<300 {
      var bytes = whole
      let place = random(bytes.count)
      let end = min(bytes.count, place + random(12))
      bytes.replaceSubrange(place..<end, with: words[random(words.count)].utf8)
      let failures = Drift.failures(
        vectors: bytes, schema: .app, queries: IssueQueries.all,
        mutators: IssueMutators.all)
      for failure in failures { #expect(!failure.description.isEmpty, "seed \(seed)") }
    }
  }
}
