extension RowStorage {
  /// The value of column `i`.
  func value(_ i: Int) -> Value {
    let tag = self.tag(i)
    switch tag {
    case .absent: return .absent
    case .null: return .null
    case .false: return .bool(false)
    case .true: return .bool(true)
    case .integer, .double: return .number(number(i, tag))
    case .string: return .string(String(decoding: bytes(i), as: UTF8.self))
    case .json: return .json(JSONValue(storedText: bytes(i)))
    }
  }
}
