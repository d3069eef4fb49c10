import ZeroProtocol

extension StoreContract {
  static let recordCases: [Case] = [
    Case("a value is read back in its transaction and after it") { subject in
      let store = try subject.open()
      try store.write { transaction in
        try transaction.put(alpha, bytes("k"), bytes("v"))
        try require(try transaction.get(alpha, bytes("k")) == bytes("v"), "own write not seen")
      }
      try require(try store.value(alpha, bytes("k")) == bytes("v"), "commit not seen")
    },
    Case("put replaces, delete removes, deleting a missing key is fine") { subject in
      let store = try subject.open()
      try store.set(alpha, bytes("k"), bytes("a long first value"))
      try store.set(alpha, bytes("k"), bytes("two"))
      try require(try store.value(alpha, bytes("k")) == bytes("two"), "not replaced")
      try store.write { transaction in
        try transaction.delete(alpha, bytes("k"))
        try transaction.delete(alpha, bytes("k"))
        try require(try transaction.get(alpha, bytes("k")) == nil, "deleted key is seen")
      }
      try require(try store.value(alpha, bytes("k")) == nil, "not deleted")
    },
    Case("a missing key has no value, an empty value is one") { subject in
      let store = try subject.open()
      try store.set(alpha, bytes("k"), [])
      try require(try store.value(alpha, bytes("k")) == [], "the empty value is lost")
      try require(try store.value(alpha, bytes("kk")) == nil, "a longer key has a value")
      try require(try store.value(alpha, []) == nil, "the empty key has a value")
      try require(
        try store.read { try $0.pairs(alpha) }.map { $0.value } == [[]],
        "a scan lost the empty value")
    },
    Case("an empty key is refused and the transaction goes on") { subject in
      let store = try subject.open()
      try store.write { transaction in
        try requireError(.misuse, "an empty key") { try transaction.put(alpha, [], bytes("v")) }
        try transaction.put(alpha, bytes("k"), bytes("v"))
      }
      try require(try store.read { try $0.keys(alpha) } == [bytes("k")], "other keys than put")
    },
    Case("keys and values hold any bytes") { subject in
      let store = try subject.open()
      let all = Array(UInt8.min...UInt8.max)
      try store.write { transaction in
        for byte in all { try transaction.put(alpha, [byte], [byte, 0, byte]) }
        try transaction.put(alpha, all, all)
      }
      for byte in all {
        try require(try store.value(alpha, [byte]) == [byte, 0, byte], "byte \(byte) differs")
      }
      try require(try store.value(alpha, all) == all, "the value with all bytes differs")
    },
    Case("tables do not share keys") { subject in
      let store = try subject.open()
      try store.set(alpha, bytes("k"), bytes("a"))
      try require(try store.value(beta, bytes("k")) == nil, "beta sees alpha's key")
      try store.set(beta, bytes("k"), bytes("b"))
      try store.write { try $0.deletePrefix(alpha, []) }
      try require(try store.value(beta, bytes("k")) == bytes("b"), "emptying alpha emptied beta")
    },
    Case("values of 16 MB and of 64 MiB are kept") { subject in
      let store = try subject.open()
      for (name, size) in [("sixteen", 16_000_000), ("sixty-four", 64 << 20)] {
        let value = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
          for index in 0..<size {
            buffer[index] = UInt8(truncatingIfNeeded: index &* 31 &+ index >> 9)
          }
          count = size
        }
        try store.set(alpha, bytes(name), value)
        try require(try store.value(alpha, bytes(name)) == value, "\(name) differs")
        try store.write { try $0.delete(alpha, bytes(name)) }
      }
    },
    Case("a key of the longest length is kept, a longer one is refused") { subject in
      let store = try subject.open()
      try require(store.maxKeyBytes >= 511, "maxKeyBytes is \(store.maxKeyBytes)")
      let longest = [UInt8](repeating: 7, count: store.maxKeyBytes)
      try store.write { transaction in
        try transaction.put(alpha, longest, bytes("v"))
        try requireError(.tooLarge, "a longer key") {
          try transaction.put(alpha, longest + [7], [])
        }
      }
      try require(try store.read { try $0.keys(alpha) } == [longest], "other keys than put")
      try require(try store.value(alpha, longest + [7]) == nil, "a longer key has a value")
      try store.write { try $0.delete(alpha, longest + [7]) }
    },
    Case("a table that was not named is refused") { subject in
      let store = try subject.open()
      for ordinal in [-1, 2, Int.max] {
        try requireError(.misuse, "table \(ordinal)") {
          try store.write { try $0.put(StoreTable(ordinal), bytes("k"), []) }
        }
        try requireError(.misuse, "reading table \(ordinal)") {
          _ = try store.value(StoreTable(ordinal), bytes("k"))
        }
      }
    },
  ]
}
