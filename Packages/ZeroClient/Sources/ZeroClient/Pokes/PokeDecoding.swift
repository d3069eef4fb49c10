@_spi(Engine) import ZeroProtocol

/// A large poke that is complete but not decoded: work that can be done anywhere.
struct PokeDecoding: Sendable {
  /// Names the poke's place among those that wait.
  let ticket: Int
  let payload: [UInt8]
  /// What is known of the poke without its payload.
  let contents: PokeContents
  let decoder: PokeDecoder
  let places: TablePlaces

  /// Decodes the payload.
  /// - Complexity: O(size of the payload)
  func run() -> Result<PokeContents, PokeError> {
    Result { () throws(PokeError) in
      var contents = contents
      let parts: [PokePatches]
      do throws(JSONError) {
        parts = try decoder.parts(inPayload: payload)
      } catch {
        throw .badChunks(error)
      }
      for part in parts { try contents.append(part, places) }
      return contents
    }
  }
}
