import BenchKit
import Foundation
@_spi(Engine) import ZeroClient
@_spi(Engine) import ZeroProtocol

/// B: from the bytes of a large poke to the operations that it means.
extension ClientBench {
  /// Compares this machine with the one of the recorded figures by what Node needs for `JSON.parse` of
  /// the same bytes; then, if asked for, the client's receive path.
  func wire() throws {
    let texts = try WireTexts()
    guard let node = ExternalProgram("node", [WireTexts.script]) else {
      print("Node is not on the PATH: ratios to recorded figures are given as they are only.")
      return try receive(texts, peers: [:])
    }
    let parts = node.contender("Node JSON.parse", "parseParts \(texts.partsFile.path)")
    let whole = node.contender("Node JSON.parse", "parseWhole \(texts.wholeFile.path)")
    let measured = try parts.best(of: 12) * 1000
    let recorded = Reference.bestParseParts
    run.machineFactor = recorded / measured
    print(
      """
      This machine is \(noted(recorded / measured)) times as fast as that of the recorded figures: \
      Node here needs \(noted(measured)) ms at best for JSON.parse of 500 parts, recorded are \(recorded).
      """)
    try receive(texts, peers: ["parseParts": parts, "parseWhole": whole])
  }

  // MARK: -

  private func receive(_ texts: WireTexts, peers: [String: Contender]) throws {
    guard wants("wire") else { return }
    let decoder = PokeDecoder(IssueData.schema)
    let (messages, payload, frames) = (texts.messages, texts.payload, texts.frames)
    func work(_ name: String, note: String = "", _ work: @escaping () throws -> Void) throws {
      try run.compare(
        "wire.\(name)", size: WireTexts.issueCount, unit: .milliseconds,
        ours: Contender("ours", work),
        peers: peers[name].map { [$0] } ?? [],
        note: ["\(noted(Double(texts.byteCount(name)) / 1e6)) MB", note]
          .filter { !$0.isEmpty }.joined(separator: ", "),
        recorded: Reference.figures["wire.\(name)"])
    }
    func parse() throws {
      var parts: [PokePatches?] = []
      for message in messages { parts.append(try decoder.part(inMessage: message)) }
      blackHole(parts)
    }
    try work("parseParts", note: "to packed rows, checked", parse)
    try work("parseWhole", note: "to packed rows, checked") {
      blackHole(try decoder.parts(inPayload: payload))
    }
    try work("validateParts", note: "the same step as parseParts", parse)
    try work("receiveText") {
      var receiver = PokeReceiver(schema: IssueData.schema, clientID: "c")
      try receiver.receive(PokeStart(pokeID: "p", baseCookie: nil))
      for message in messages {
        guard let part = try receiver.part(inMessage: message) else { continue }
        blackHole(try receiver.receive(part))
      }
      try Self.finish(&receiver)
    }
    try work("receiveBinary") {
      var receiver = PokeReceiver(schema: IssueData.schema, clientID: "c")
      try receiver.receive(PokeStart(pokeID: "p", baseCookie: nil))
      for frame in frames { try receiver.receive(chunk: frame) }
      try Self.finish(&receiver)
    }
  }

  /// Ends the poke and merges its parts into one new state per row.
  private static func finish(_ receiver: inout PokeReceiver) throws {
    blackHole(try receiver.receive(PokeEnd(pokeID: "p", cookie: "1")))
    guard let poke = try receiver.takeCompleted() else { throw BenchFailure("the poke is lost") }
    let patches = try poke.rows.map { try TablePatch($0) { _, _ in nil } }
    let count = patches.reduce(0) { $0 + $1.entries.count }
    guard count == WireTexts.issueCount else { throw BenchFailure("\(count) rows arrived") }
    blackHole(patches)
  }
}

/// The messages of a poke with 50,000 issues in 500 parts.
@MainActor private final class WireTexts {
  static let issueCount = 50_000
  static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/wire.mjs"

  /// The parts as messages of their own.
  let messages: [[UInt8]]
  /// The parts as one array.
  let payload: [UInt8]
  /// That array in binary messages of 1 MiB.
  let frames: [[UInt8]]
  let partsFile: WireFile
  let wholeFile: WireFile

  init() throws {
    let parts = PokeWriter.parts("p", IssueData(issueCount: Self.issueCount).issuePuts())
    messages = parts.map { Array("[\"pokePart\",".utf8) + $0 + Array("]".utf8) }
    var payload = Array("[".utf8)
    for (place, part) in parts.enumerated() {
      if place > 0 { payload.append(UInt8(ascii: ",")) }
      payload += part
    }
    payload.append(UInt8(ascii: "]"))
    self.payload = payload
    frames = stride(from: 0, to: payload.count, by: 1 << 20).map { start in
      [0] + payload[start..<min(payload.count, start + 1 << 20)]
    }
    partsFile = try WireFile(Array(messages.joined(separator: [UInt8(ascii: "\n")])))
    wholeFile = try WireFile(payload)
  }

  func byteCount(_ workload: String) -> Int {
    ["parseWhole", "receiveBinary"].contains(workload)
      ? payload.count : messages.reduce(0) { $0 + $1.count }
  }
}

/// A file that is there while the value is.
private final class WireFile {
  let path: String

  init(_ bytes: [UInt8]) throws {
    path = FileManager.default.temporaryDirectory.path + "/bench-\(UUID().uuidString).json"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
