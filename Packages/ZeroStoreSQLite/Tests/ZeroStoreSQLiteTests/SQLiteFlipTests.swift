import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreSQLite

/// Single bits that a medium lost, in a file that says it was closed in order.
@Suite(.serialized) struct SQLiteFlipTests {
  private static let smallPages = "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM"
  private static let selfVacuuming = smallPages + "; PRAGMA auto_vacuum = FULL; VACUUM"

  /// Every how many bits one is flipped: in the header and the schema, in the first bytes of the other
  /// pages, and in the rest.
  private static let steps = (schema: 17, heads: 41, rest: 4001)

  @Test(
    "a bit that flipped is found, or changes nothing that is read and written",
    arguments: ["", smallPages, selfVacuuming])
  func flips(change: String) throws {
    let database = try SampleDatabase(after: change)
    let pageBytes = change.isEmpty ? 4096 : 512
    let schema = Int(database.file[105]) << 8 | Int(database.file[106])
    let bits = (0..<database.file.count * 8).filter { bit in
      let (byte, place) = (bit / 8, bit / 8 % pageBytes)
      let isSchema = byte < 150 || byte >= schema && byte < pageBytes
      let steps = Self.steps
      return bit % (isSchema ? steps.schema : place < 32 ? steps.heads : steps.rest) == 0
    }
    var found = 0
    for bit in bits {
      var file = database.file
      file[bit / 8] ^= 1 << UInt8(bit % 8)
      try database.replace(with: file)
      do {
        #expect(try database.isSound(), "bit \(bit % 8) of byte \(bit / 8)")
      } catch let error as StoreError {
        #expect(
          error.code == .corrupt || error.code == .incompatible,
          "bit \(bit % 8) of byte \(bit / 8): \(error)")
        found += 1
      }
    }
    #expect(found > bits.count / 4, "\(found) of \(bits.count) flips were found")
  }
}
