import Testing

@testable import ZeroStoreCore

@Suite struct RecordTests {
  @Test("every flipped bit of a record changes its checksum")
  func checksum() {
    for length in [0, 1, 7, 8, 9, 31, 32, 33, 64, 200] {
      let key = (0..<18).map { UInt8($0 * 7 % 256) }
      let value = (0..<length).map { UInt8($0 * 13 % 256) }
      let sound = RecordChecksum.of(key: key.span.bytes, value: value.span.bytes)
      for bit in 0..<(key.count + length) * 8 {
        var (key, value) = (key, value)
        if bit / 8 < key.count {
          key[bit / 8] ^= 1 << (bit % 8)
        } else {
          value[bit / 8 - key.count] ^= 1 << (bit % 8)
        }
        let damaged = RecordChecksum.of(key: key.span.bytes, value: value.span.bytes)
        #expect(damaged != sound, "length \(length), bit \(bit)")
      }
    }
  }

  @Test("the checksum is part of the layout and stays what it is")
  func pinned() {
    let key = Array("clients/1".utf8)
    let value = Array(0...99 as ClosedRange<UInt8>)
    #expect(RecordChecksum.of(key: key.span.bytes, value: value.span.bytes) == 2_374_342_177)
  }

  @Test("moving a byte from the key to the value changes the checksum")
  func boundary() {
    let one = RecordChecksum.of(key: [1, 2].span.bytes, value: [3].span.bytes)
    let two = RecordChecksum.of(key: [1].span.bytes, value: [2, 3].span.bytes)
    #expect(one != two)
  }

  @Test("a prefix gives the range of its keys")
  func ranges() {
    let cases: [(prefix: [UInt8], after: [UInt8]?, lower: [UInt8], upper: [UInt8]?)] = [
      ([], nil, [], nil), ([1], nil, [1], [2]), ([1, 0xFF], nil, [1, 0xFF], [2]),
      ([0xFF, 0xFF], nil, [0xFF, 0xFF], nil), ([1], [1, 5], [1, 5, 0], [2]), ([1], [0], [1], [2]),
      ([], [7], [7, 0], nil), ([1], [1], [1, 0], [2]),
    ]
    for (prefix, after, lower, upper) in cases {
      let range: KeyRange
      if let after {
        range = KeyRange(prefix: prefix.span.bytes, after: after.span.bytes)
      } else {
        range = KeyRange(prefix: prefix.span.bytes)
      }
      #expect(range.lower == lower, "\(prefix) after \(String(describing: after))")
      #expect(range.upper == upper, "\(prefix) after \(String(describing: after))")
    }
  }

  @Test("an owner record is read back from its line, and from nothing else")
  func owner() {
    let conditions: [OwnerRecord.Condition] = [
      .new, .open, .suspect, .clean(size: 4096, changed: 1_700_000_000_123_456_789),
      .clean(size: .max, changed: .max),
    ]
    for condition in conditions {
      let record = OwnerRecord(holder: 4_194_304, condition: condition)
      #expect(record.header.count == OwnerRecord.headerBytes)
      #expect(OwnerRecord(record.header + Array("name".utf8)) == record)
      #expect(OwnerRecord(record.header.dropLast()) == nil)
    }
    for line in ["", "zero-store 2 1 new", "zero-store 1 x new", "zero-store 1 1 clean 5", "?"] {
      let bytes = Array(line.utf8) + [UInt8](repeating: 32, count: 128)
      #expect(OwnerRecord(bytes) == nil, "\(line)")
    }
  }
}
