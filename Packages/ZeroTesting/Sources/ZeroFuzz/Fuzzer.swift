/// Feeds mutated texts to every decoder.
public struct Fuzzer {
  private var random: FuzzRandom
  private let decoders: [FuzzDecoder]
  private let largest: Int

  /// - Parameters:
  ///   - seed: the same seed gives the same texts.
  ///   - largest: bytes that a text may grow to.
  public init(seed: UInt64, decoders: [FuzzDecoder] = FuzzDecoder.all, largest: Int = 1 << 14) {
    random = FuzzRandom(seed)
    self.decoders = decoders
    self.largest = largest
  }

  /// Makes one text and gives it to every decoder.
  /// - Throws: ``FuzzFailure`` naming the decoder, with the text.
  public mutating func step() throws {
    let text = nextText()
    for decoder in decoders {
      do {
        try decoder.run(text)
      } catch let failure as FuzzFailure {
        throw FuzzFailure(
          "\(decoder.name): \(failure) for \(String(decoding: text, as: UTF8.self).debugDescription)"
        )
      } catch {}
    }
  }

  /// A text from the corpus with a few changes.
  mutating func nextText() -> [UInt8] {
    var text = pick(FuzzCorpus.texts)
    for _ in 0..<Int.random(in: 1...6, using: &random) { mutate(&text) }
    return text
  }

  // MARK: -

  private mutating func mutate(_ text: inout [UInt8]) {
    let place = Int.random(in: 0...text.count, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0 where place < text.count:
      text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1 where place < text.count: text[place] = UInt8.random(in: .min ... .max, using: &random)
    case 2: text.removeSubrange(range(from: place, in: text))
    case 3: text.insert(contentsOf: pick(FuzzCorpus.pieces), at: place)
    case 4: text.replaceSubrange(range(from: place, in: text), with: pick(FuzzCorpus.pieces))
    case 5:
      let part = Array(text[range(from: place, in: text)])
      let times = Int.random(in: 1...40, using: &random)
      guard text.count + part.count * times <= largest else { return }
      text.insert(contentsOf: repeatElement(part, count: times).joined(), at: place)
    case 6: text.removeSubrange(place...)
    case 7:
      let other = pick(FuzzCorpus.texts)
      let part = other[range(from: Int.random(in: 0...other.count, using: &random), in: other)]
      guard text.count + part.count <= largest else { return }
      text.insert(contentsOf: part, at: place)
    default:
      // A value put where another was, so that types change and the rest stays well formed.
      let stops = text.indices.filter {
        text[$0] == UInt8(ascii: ":") || text[$0] == UInt8(ascii: ",")
      }
      guard let start = stops.randomElement(using: &random) else { return }
      let end = text[(start + 1)...].firstIndex { ",}]".utf8.contains($0) } ?? text.count
      text.replaceSubrange((start + 1)..<end, with: pick(FuzzCorpus.pieces))
    }
  }

  private mutating func range(from place: Int, in text: [UInt8]) -> Range<Int> {
    place..<min(text.count, place + Int.random(in: 0...32, using: &random))
  }

  private mutating func pick(_ list: [[UInt8]]) -> [UInt8] {
    list.randomElement(using: &random) ?? []
  }
}

/// SplitMix64.
struct FuzzRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
