import Testing
import ZeroProtocol

/// What a table holds.
typealias Content = [[UInt8]: [UInt8]]

extension StoreSnapshot {
  /// All records of a table, which come in the order of their keys.
  func content(_ table: Int) throws -> Content {
    var content: Content = [:]
    var last: [UInt8] = []
    try scan(StoreTable(table), prefix: [UInt8]().span.bytes, after: nil) { key, value in
      let key = key.withUnsafeBytes { Array($0) }
      #expect(last.lexicographicallyPrecedes(key))
      last = key
      content[key] = value.withUnsafeBytes { Array($0) }
      return true
    }
    return content
  }
}
