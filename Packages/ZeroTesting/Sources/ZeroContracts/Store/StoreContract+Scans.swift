import ZeroProtocol

extension StoreContract {
  static let scanCases: [Case] = [
    Case("a scan goes in unsigned byte order, shorter before longer") { subject in
      let store = try subject.open()
      let sorted: [[UInt8]] = [
        [0], [0, 0], [0, 1], [1], [0x2F], [0x7F], [0x7F, 0xFF], [0x80], [0x80, 0], [0xC3, 0xA9],
        [0xFE], [0xFF], [0xFF, 0], [0xFF, 0xFF], [0xFF, 0xFF, 0xFF],
      ]
      try store.write { transaction in
        for key in sorted.reversed() { try transaction.put(alpha, key, key) }
      }
      let pairs = try store.read { try $0.pairs(alpha) }
      try require(pairs.map { $0.key } == sorted, "order is \(pairs.map { $0.key })")
      try require(pairs.map { $0.value } == sorted, "values are not those of their keys")
    },
    Case("a prefix bounds a scan, also one of 0xFF bytes") { subject in
      let store = try subject.open()
      let keys: [[UInt8]] = [
        [0x61], [0x61, 0x2F], [0x61, 0x2F, 0x31], [0x61, 0x2F, 0xFF], [0x61, 0x30],
        [0xFF], [0xFF, 0xFF], [0xFF, 0xFF, 0x01],
      ]
      try store.write { transaction in for key in keys { try transaction.put(alpha, key, []) } }
      for prefix: [UInt8] in [
        [], [0x61], [0x61, 0x2F], [0x61, 0x2F, 0xFF], [0x62], [0xFF], [0xFF, 0xFF],
        [0xFF, 0xFF, 0xFF], [0x60, 0xFF],
      ] {
        let found = try store.read { try $0.keys(alpha, prefix: prefix) }
        try require(found == keys.filter { $0.starts(with: prefix) }, "\(prefix) finds \(found)")
      }
    },
    Case("a scan begins after the given key, which need not exist") { subject in
      let store = try subject.open()
      let keys = ["a/1", "a/2", "a/20", "a/3", "b/1"].map(bytes)
      try store.write { transaction in for key in keys { try transaction.put(alpha, key, []) } }
      for prefix in ["", "a/", "a/2", "c"].map(bytes) {
        for after in ["", "a", "a/", "a/0", "a/1", "a/2", "a/2\u{0}", "a/25", "a/3", "b", "z"] {
          let found = try store.read { try $0.keys(alpha, prefix: prefix, after: bytes(after)) }
          let expected = keys.filter {
            $0.starts(with: prefix) && bytes(after).lexicographicallyPrecedes($0)
          }
          try require(
            found == expected,
            "after \(after) finds \(found.map { String(decoding: $0, as: UTF8.self) })")
        }
      }
    },
    Case("a scan ends when its closure returns false or throws") { subject in
      struct Stop: Error {}
      let store = try subject.open()
      try store.write { transaction in
        for byte in UInt8(1)...9 { try transaction.put(alpha, [byte], []) }
      }
      var visited = 0
      try store.read { snapshot in
        try snapshot.scan(alpha) { _, _ in
          visited += 1
          return visited < 3
        }
      }
      try require(visited == 3, "visited \(visited) of 3")
      do {
        try store.read { try $0.scan(alpha) { _, _ in throw Stop() } }
        throw Violation(message: "the closure's error is lost")
      } catch is Stop {}
      try require(try store.read { try $0.keys(alpha) }.count == 9, "the next scan is incomplete")
    },
    Case("a scan may hold gets and scans of the same table") { subject in
      let store = try subject.open()
      try store.write { transaction in
        for byte in UInt8(1)...5 { try transaction.put(alpha, [byte], [byte &* 2]) }
      }
      var seen: [UInt8] = []
      try store.read { snapshot in
        try snapshot.scan(alpha) { key, value in
          let outer = key.withUnsafeBytes { $0[0] }
          try snapshot.scan(alpha, after: [3]) { inner, _ in
            seen.append(outer &* 10 &+ inner.withUnsafeBytes { $0[0] })
            return true
          }
          let own = try snapshot.get(alpha, [outer])
          try require(own == [outer &* 2], "a get inside the scan differs")
          try require(value.withUnsafeBytes { $0[0] } == outer &* 2, "the lent value changed")
          return true
        }
      }
      try require(seen == [14, 15, 24, 25, 34, 35, 44, 45, 54, 55], "visited \(seen)")
    },
    Case("deleting a prefix removes its keys and no others") { subject in
      let store = try subject.open()
      let keys: [[UInt8]] = [
        [0x60, 0xFF], [0x61], [0x61, 0x00], [0x61, 0xFF], [0x61, 0xFF, 0xFF], [0x62], [0xFF],
        [0xFF, 0xFF],
      ]
      for prefix: [UInt8] in [[0x61], [0x61, 0xFF], [0xFF], [0xFF, 0xFF], [0x63], []] {
        try store.write { transaction in
          for key in keys { try transaction.put(alpha, key, key) }
          try transaction.put(beta, [0x61], [])
          try transaction.deletePrefix(alpha, prefix)
          let left = try transaction.keys(alpha)
          try require(
            left == keys.filter { !$0.starts(with: prefix) }, "\(prefix) leaves \(left) inside")
        }
        let left = try store.read { try $0.keys(alpha) }
        try require(left == keys.filter { !$0.starts(with: prefix) }, "\(prefix) leaves \(left)")
        try require(try store.value(beta, [0x61]) != nil, "\(prefix) reached another table")
      }
    },
    Case("a change while bytes are on loan is refused and the transaction goes on") { subject in
      let store = try subject.open()
      try store.write { transaction in
        try transaction.put(alpha, bytes("k"), bytes("v"))
        try transaction.scan(alpha) { _, _ in
          try requireError(.misuse, "put in a scan") { try transaction.put(alpha, bytes("x"), []) }
          try requireError(.misuse, "delete in a scan") { try transaction.delete(beta, bytes("x")) }
          return true
        }
        _ = try transaction.get(alpha, bytes("k").span.bytes) { _ in
          try requireError(.misuse, "prefix delete in a get") {
            try transaction.deletePrefix(alpha, [])
          }
        }
        try transaction.put(alpha, bytes("l"), [])
      }
      try require(try store.read { try $0.keys(alpha) } == ["k", "l"].map(bytes), "wrong keys")
    },
  ]
}
