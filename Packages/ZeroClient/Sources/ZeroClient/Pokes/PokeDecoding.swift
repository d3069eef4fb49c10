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

/// Parts of a large poke, in text messages that are not decoded: work that can be done anywhere.
struct PokePartsDecoding: Sendable {
  enum Failure: Error {
    /// A message is no part of a poke.
    case message(JSONError)
    case poke(PokeError)
  }

  /// Names the place of the parts among those that wait.
  let ticket: Int
  let texts: [[UInt8]]
  let pokeID: String
  /// What is known of the poke without its parts.
  let contents: PokeContents
  let decoder: PokeDecoder
  let places: TablePlaces

  /// Decodes the messages.
  /// - Complexity: O(size of the messages)
  func run() -> Result<PokeContents, Failure> {
    Result { () throws(Failure) in
      var contents = contents
      for text in texts {
        let part: PokePatches
        do throws(JSONError) {
          guard let found = try decoder.part(inMessage: text) else {
            throw JSONError(.invalidValue, message: "a message that is no part of a poke")
          }
          part = found
        } catch {
          throw .message(error)
        }
        guard part.pokeID.utf8.elementsEqual(pokeID.utf8) else {
          throw .poke(.unexpected("pokePart for \(part.pokeID) while receiving \(pokeID)"))
        }
        do throws(PokeError) {
          try contents.append(part, places)
        } catch {
          throw .poke(error)
        }
      }
      return contents
    }
  }
}
