import ZeroProtocol

/// The size of client messages that zero-cache takes, and how to stay below it.
enum MessageSize {
  /// Largest message in bytes, with some room for what surrounds a patch or a mutation's arguments.
  static let limit = (10 << 20) - (16 << 10)
  /// Most levels of a mutation's arguments: with the record around them they can be read again.
  static let argumentLevels = JSONLimits.standard.depth - 1

  /// Cuts off as many operations as fit into one message.
  static func split(
    _ patch: [DesiredQueryOp]
  ) -> (first: [DesiredQueryOp], rest: [DesiredQueryOp]) {
    // Most patches are so short that counting bytes would be a waste.
    guard patch.count > 100 || patch.contains(where: hasLargeArguments) else { return (patch, []) }
    var size = 0
    for (place, operation) in patch.enumerated() {
      size += weight(of: operation)
      if size > limit && place > 0 { return (Array(patch[..<place]), Array(patch[place...])) }
    }
    return (patch, [])
  }

  // MARK: -

  private static func hasLargeArguments(_ operation: DesiredQueryOp) -> Bool {
    weight(of: operation) > limit / 100
  }

  private static func weight(of operation: DesiredQueryOp) -> Int {
    guard case .put(let query) = operation else { return 64 }
    let arguments = JSONValue.array(query.args ?? []).jsonText.count
    return 128 + query.hash.utf8.count + (query.name?.utf8.count ?? 0) + arguments
  }
}

extension JSONValue {
  /// Whether more than `count` arrays and objects are inside each other.
  func hasMoreLevels(than count: Int) -> Bool {
    switch self {
    case .array(let elements):
      count == 0 || elements.contains { $0.hasMoreLevels(than: count - 1) }
    case .object(let object):
      count == 0 || object.members.contains { $0.value.hasMoreLevels(than: count - 1) }
    case .null, .bool, .number, .string: false
    }
  }
}
