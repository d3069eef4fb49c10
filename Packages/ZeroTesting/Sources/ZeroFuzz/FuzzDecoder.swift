@_spi(Engine) import ZeroProtocol

/// Something that takes bytes from a server, a client, a disk or an app, and has to refuse what it
/// does not understand with an error.
public struct FuzzDecoder: Sendable {
  public let name: String
  /// Whether it is a way in for large texts. The others begin with one of these.
  var isForLargeTexts = false
  /// Takes the bytes. Errors are what is expected; ``FuzzFailure`` reports a broken promise.
  let run: @Sendable ([UInt8]) throws -> Void

  /// Every decoder of the protocol layer.
  public static let all: [FuzzDecoder] = [
    FuzzDecoder(name: "JSON to a tree", isForLargeTexts: true) { bytes in
      let value = try JSONValue(parsing: bytes)
      guard bytes.count < largeText else { return }
      let text = value.jsonText
      guard try JSONValue(parsing: text).jsonText == text else {
        throw FuzzFailure("printed JSON reads as something else")
      }
    },
    FuzzDecoder(name: "JSON passed over", isForLargeTexts: true) { bytes in
      let isValid = try bytes.withUnsafeBytes { bytes in
        var reader = try JSONReader(bytes)
        do {
          try reader.skipValue()
          try reader.finish()
          return true
        } catch {
          return false
        }
      }
      guard bytes.count < largeText else { return }
      do {
        _ = try JSONValue(parsing: bytes)
        if !isValid { throw FuzzFailure("text that is read cannot be passed over") }
      } catch let error as JSONError {
        if isValid, error.code != .tooLarge { throw FuzzFailure("text is only passed over") }
        if error.byteOffset < 0 || error.byteOffset > bytes.count {
          throw FuzzFailure("an error beyond the text")
        }
      }
    },
    FuzzDecoder(name: "poke payload", isForLargeTexts: true) { bytes in
      let parts = try PokeDecoder(FuzzCorpus.schema).parts(inPayload: bytes)
      guard bytes.count < largeText else { return }
      let payload = PokePatches.payload(parts)
      let again = try PokeDecoder(FuzzCorpus.schema).parts(inPayload: payload)
      guard PokePatches.payload(again) == payload else {
        throw FuzzFailure("an encoded poke decodes to another")
      }
    },
    FuzzDecoder(name: "poke part message") { bytes in
      let part = try? PokeDecoder(FuzzCorpus.schema).part(inMessage: bytes)
      var isPart = false
      if case .pokePart? = try? DownstreamMessage(text: bytes, unknownMembers: .kept) {
        isPart = true
      }
      guard (part != nil) == isPart else {
        throw FuzzFailure("taken by way of \(isPart ? "a tree" : "rows") only")
      }
    },
    FuzzDecoder(name: "downstream message", isForLargeTexts: true) { bytes in
      _ = try DownstreamMessage(text: bytes, unknownMembers: .kept)
    },
    FuzzDecoder(name: "upstream message") { bytes in
      _ = try UpstreamMessage(text: bytes, unknownMembers: .refused)
    },
    FuzzDecoder(name: "mutation result") { bytes in
      _ = try MutationResult(json: try JSONValue(parsing: bytes))
    },
    FuzzDecoder(name: "AST") { bytes in
      let ast = try AST(json: try JSONValue(parsing: bytes))
      _ = try ast.normalized().hash
    },
    FuzzDecoder(name: "schema") { bytes in
      _ = try ZeroSchema(json: try JSONValue(parsing: bytes))
    },
    FuzzDecoder(name: "server URL") { bytes in
      _ = try ServerURL(String(decoding: bytes, as: UTF8.self))
    },
    FuzzDecoder(name: "LIKE pattern") { bytes in
      let pattern = String(decoding: bytes.prefix(64), as: UTF8.self)
      for ignoringCase in [false, true] {
        _ = try LikePattern(pattern, ignoringCase: ignoringCase)
          .matches(String(decoding: bytes.dropFirst(32).prefix(256), as: UTF8.self))
      }
    },
    FuzzDecoder(name: "poke frames", isForLargeTexts: true) { bytes in
      var assembler = PokeAssembler(byteLimit: 1 << 20)
      for start in stride(from: 0, to: bytes.count, by: 61) {
        try assembler.add([PokeAssembler.messageType] + bytes[start..<min(start + 61, bytes.count)])
      }
      guard assembler.payload == bytes else { throw FuzzFailure("chunks are joined to others") }
      try assembler.add(bytes)
    },
  ]
}

/// From how many bytes on a text is only decoded, so that the memory of nothing else is measured.
private let largeText = 1 << 18

/// A decoder did not keep a promise.
public struct FuzzFailure: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
