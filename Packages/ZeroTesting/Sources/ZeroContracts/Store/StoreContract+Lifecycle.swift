import Foundation
import ZeroProtocol

extension StoreContract {
  static let lifecycleCases: [Case] = [
    Case("what was written is there after closing and opening again") { subject in
      let store = try subject.open()
      try store.set(alpha, bytes("k"), bytes("v"))
      try store.sync()
      store.close()
      let again = try subject.open()
      try require(try again.value(alpha, bytes("k")) == bytes("v"), "the value is gone")
      again.close()
    },
    Case("releasing a store closes it") { subject in
      try subject.open().set(alpha, bytes("k"), bytes("v"))
      let again = try subject.open()
      try require(try again.value(alpha, bytes("k")) == bytes("v"), "the value is gone")
    },
    Case("a later open may name other tables, and keeps those it does not name") { subject in
      let store = try subject.provider.open("t", tables: ["one", "two"])
      try store.set(StoreTable(0), bytes("k"), bytes("one"))
      try store.set(StoreTable(1), bytes("k"), bytes("two"))
      store.close()
      let fewer = try subject.provider.open("t", tables: ["three", "two"])
      try require(try fewer.value(StoreTable(0), bytes("k")) == nil, "three is not empty")
      try require(try fewer.value(StoreTable(1), bytes("k")) == bytes("two"), "two is gone")
      fewer.close()
      let again = try subject.provider.open("t", tables: ["one"])
      try require(try again.value(StoreTable(0), bytes("k")) == bytes("one"), "one is gone")
    },
    Case("bad table lists and an empty name are refused") { subject in
      let long = String(repeating: "x", count: 65)
      for tables in [["a", "a"], [""], ["a b"], ["a-b"], ["é"], ["a\"b"], [long]] {
        try requireError(.misuse, "tables \(tables)") {
          _ = try subject.provider.open("t", tables: tables)
        }
      }
      try requireError(.misuse, "an empty name") {
        _ = try subject.provider.open("", tables: ["a"])
      }
      let longest = String(repeating: "x", count: 64)
      _ = try subject.provider.open("t", tables: [longest, "A", "a", "0_"])
    },
    Case("databases are listed in byte order and do not share data") { subject in
      try require(try subject.provider.list() == [], "a new provider lists databases")
      let names = [
        "rep:zero-ann-x:1:52.abc", "a", "B", "\u{E9}", "e\u{301}", "with\nline", "with/slash", "..",
        "🙂", String(repeating: "long", count: 500), "\u{FFFD}",
      ]
      for (index, name) in names.enumerated() {
        let store = try subject.open(name)
        try store.set(alpha, bytes("k"), [UInt8(index)])
        if index % 2 == 0 { store.close() }
        let listed = try subject.provider.list()
        try require(listed.contains { $0.utf8.elementsEqual(name.utf8) }, "\(name) is not listed")
      }
      let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      let listed = try subject.provider.list()
      try require(listed.map { bytes($0) } == sorted.map { bytes($0) }, "lists \(listed)")
      for (index, name) in names.enumerated() {
        let value = try subject.open(name).value(alpha, bytes("k"))
        try require(value == [UInt8(index)], "\(name) has another's data")
      }
    },
    Case("dropping removes a database; dropping one that is not there is fine") { subject in
      try subject.provider.drop("contract")
      try subject.open().set(alpha, bytes("k"), bytes("v"))
      try subject.open("other").set(alpha, bytes("k"), bytes("v"))
      try subject.provider.drop("contract")
      let left = try subject.provider.list()
      try require(left == ["other"], "lists \(left)")
      let again = try subject.open()
      try require(try again.value(alpha, bytes("k")) == nil, "the dropped data is back")
    },
    Case("a second open in the process is refused and names the process") { subject in
      let store = try subject.open()
      let error = try requireError(.lockedInProcess, "a second open") { _ = try subject.open() }
      try require(
        error.database == "contract" && error.message.contains("\(getpid())"),
        "the error names no holder: \(error)")
      try requireError(.lockedInProcess, "drop while open") {
        try subject.provider.drop("contract")
      }
      try store.set(alpha, bytes("k"), bytes("v"))
      store.close()
      try require(try subject.open().value(alpha, bytes("k")) == bytes("v"), "the value is gone")
    },
    Case("after close everything is refused, and closing again is fine") { subject in
      let store = try subject.open()
      store.close()
      store.close()
      try requireError(.closed, "read") { try store.read { _ in } }
      try requireError(.closed, "write") { try store.write { _ in } }
      try requireError(.closed, "sync") { try store.sync() }
      _ = store.durability
    },
  ]
}
