import ZeroProtocol

extension StoreContract {
  static let transactionCases: [Case] = [
    Case("a closure that throws leaves nothing behind and passes its error on") { subject in
      struct Failure: Error {}
      let store = try subject.open()
      try store.set(alpha, bytes("old"), bytes("1"))
      do {
        try store.write { transaction in
          try transaction.put(alpha, bytes("new"), bytes("2"))
          try transaction.put(alpha, bytes("old"), bytes("2"))
          try transaction.deletePrefix(alpha, bytes("o"))
          throw Failure()
        }
        throw Violation(message: "the closure's error is lost")
      } catch is Failure {}
      try require(try store.value(alpha, bytes("old")) == bytes("1"), "the old value changed")
      try require(try store.value(alpha, bytes("new")) == nil, "the new value is there")
      try store.set(alpha, bytes("next"), [])
    },
    Case("a transaction's reads see its own writes") { subject in
      let store = try subject.open()
      try store.write { transaction in
        for byte in UInt8(1)...4 { try transaction.put(alpha, [byte], [byte]) }
      }
      try store.write { transaction in
        try transaction.delete(alpha, [2])
        try transaction.put(alpha, [3], [33])
        try transaction.put(alpha, [5], [5])
        let pairs = try transaction.pairs(alpha)
        try require(
          pairs.map { $0.key } == [[1], [3], [4], [5]]
            && pairs.map { $0.value } == [[1], [33], [4], [5]], "a scan sees \(pairs)")
      }
    },
    Case("results of closures are returned") { subject in
      let store = try subject.open()
      try require(try store.write { _ in 7 } == 7, "write returns something else")
      try require(try store.read { _ in "x" } == "x", "read returns something else")
      let length = try store.read { snapshot in
        try snapshot.get(alpha, bytes("k").span.bytes) { $0 == nil ? -1 : 0 }
      }
      try require(length == -1, "get returns something else")
    },
    Case("a write in a write is refused and the outer one goes on") { subject in
      let store = try subject.open()
      try store.write { transaction in
        try transaction.put(alpha, bytes("a"), [])
        try requireError(.misuse, "a nested write") {
          try store.write { try $0.put(alpha, bytes("b"), []) }
        }
        try transaction.put(alpha, bytes("c"), [])
      }
      try require(try store.read { try $0.keys(alpha) } == ["a", "c"].map(bytes), "wrong keys")
    },
    Case("a snapshot or transaction used after its closure is refused") { subject in
      let store = try subject.open()
      try store.set(alpha, bytes("k"), bytes("v"))
      var snapshot: (any StoreSnapshot)?
      var transaction: (any StoreTransaction)?
      try store.read { snapshot = $0 }
      try store.write { transaction = $0 }
      guard let snapshot, let transaction else { throw Violation(message: "no closure ran") }
      try requireError(.closed, "get after the closure") { _ = try snapshot.get(alpha, bytes("k")) }
      try requireError(.closed, "scan after the closure") { _ = try snapshot.keys(alpha) }
      try requireError(.closed, "put after the closure") { try transaction.put(alpha, [1], []) }
      try requireError(.closed, "delete after the closure") { try transaction.delete(alpha, [1]) }
      try requireError(.closed, "prefix delete after the closure") {
        try transaction.deletePrefix(alpha, [])
      }
      _ = try store.write { _ in
        try requireError(.closed, "an old transaction in a new write") {
          try transaction.put(alpha, [1], [])
        }
      }
      try require(try store.read { try $0.keys(alpha) } == [bytes("k")], "a late call had effect")
    },
  ]
}
