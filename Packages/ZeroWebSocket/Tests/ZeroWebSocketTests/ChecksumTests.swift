import Testing

@testable @_spi(Testing) import ZeroWebSocket

struct ChecksumTests {
  @Test(
    "SHA-1 gives the published values",
    arguments: [
      ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
      ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
      ),
      (String(repeating: "a", count: 1000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ])
  func sha1(message: String, digest: String) {
    let hex = SHA1.hash(Array(message.utf8)).map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }
    #expect(hex.joined() == digest)
  }

  @Test(
    "base64 pads to groups of four",
    arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
  func base64(text: String, encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
  }

  @Test("the accept key of RFC 6455's example is right")
  func acceptKey() {
    #expect(WebSocketKey.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test("masking by words equals masking by bytes at every offset and length")
  func masking() {
    let key: UInt32 = 0x4433_2211
    for length in 0..<100 {
      for offset in 0..<5 {
        var bytes = (0..<length).map { UInt8($0) }
        let expected = bytes.enumerated().map { $1 ^ [0x11, 0x22, 0x33, 0x44][($0 + offset) % 4] }
        bytes.withUnsafeMutableBytes { FrameMask.apply(key, offset: offset, to: $0) }
        #expect(bytes == expected, "length \(length), offset \(offset)")
      }
    }
  }

  @Test(
    "UTF-8 in pieces is judged as the standard library judges the whole",
    arguments: [1, 2] as [UInt64])
  func utf8(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let samples: [[UInt8]] = [
      [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80],
      [0xC1, 0xBF], [0xF5], Array("κόσμε𝄞\u{10FFFF}\u{FFFF}".utf8),
      Array(String(repeating: "x", count: 40).utf8),
    ]
    for round in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes += samples.randomElement(using: &random) ?? []
      }
      if Bool.random(using: &random), !bytes.isEmpty {
        bytes.remove(at: Int.random(in: 0..<bytes.count, using: &random))
      }
      var validator = UTF8Validator()
      var isValid = true
      var start = 0
      while start < bytes.count, isValid {
        let end = min(bytes.count, start + Int.random(in: 1...8, using: &random))
        isValid = bytes[start..<end].withUnsafeBytes { validator.accept($0) }
        start = end
      }
      let expected = String(validating: bytes, as: UTF8.self) != nil
      #expect((isValid && validator.isComplete) == expected, "seed \(seed), round \(round)")
    }
  }
}
