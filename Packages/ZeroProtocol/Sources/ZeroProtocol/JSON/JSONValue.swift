/// A JSON value. Objects keep the order of their members.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue: Equatable {
  /// Structural equality: strings and keys by UTF-8 bytes, numbers by value, objects whatever the
  /// order of their members.
  public static func == (a: JSONValue, b: JSONValue) -> Bool {
    isSame(a, b, levels: recursiveLevels)
  }

  /// Levels that are compared by calls inside calls, which is fast and takes much stack where code is not
  /// optimized.
  private static var recursiveLevels: Int { 32 }

  private static func isSame(_ a: JSONValue, _ b: JSONValue, levels: Int) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let x), .bool(let y)): x == y
    case (.number(let x), .number(let y)): x == y || (x.isNaN && y.isNaN)
    case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
    case (.array(let x), .array(let y)):
      levels > 0 ? areSame(x, y, levels: levels - 1) : areSameDeep(a, b)
    case (.object(let x), .object(let y)):
      levels > 0 ? areSame(x, y, levels: levels - 1) : areSameDeep(a, b)
    default: false
    }
  }

  private static func areSame(_ a: [JSONValue], _ b: [JSONValue], levels: Int) -> Bool {
    guard a.count == b.count else { return false }
    if isOneBuffer(a, b) { return true }
    for i in a.indices where !isSame(a[i], b[i], levels: levels) { return false }
    return true
  }

  private static func areSame(_ a: JSONObject, _ b: JSONObject, levels: Int) -> Bool {
    guard a.count == b.count else { return false }
    for (key, value) in a.members {
      guard let other = b[key], isSame(value, other, levels: levels) else { return false }
    }
    return true
  }

  /// Whether two arrays or two objects are equal. Without calls inside calls: values of a server may be
  /// nested deeper than the stacks of secondary threads allow.
  private static func areSameDeep(_ a: JSONValue, _ b: JSONValue) -> Bool {
    var waiting = [(a, b)]
    func isDifferent(_ a: JSONValue, _ b: JSONValue) -> Bool {
      switch (a, b) {
      case (.array, .array), (.object, .object):
        waiting.append((a, b))
        return false
      default: return !isSame(a, b, levels: 0)
      }
    }
    while let pair = waiting.popLast() {
      switch pair {
      case (.array(let x), .array(let y)):
        guard x.count == y.count else { return false }
        if isOneBuffer(x, y) { continue }
        for (first, second) in zip(x, y) where isDifferent(first, second) { return false }
      case (.object(let x), .object(let y)):
        guard x.count == y.count else { return false }
        for (key, first) in x.members {
          guard let second = y[key], !isDifferent(first, second) else { return false }
        }
      default: return false
      }
    }
    return true
  }

  private static func isOneBuffer(_ a: [JSONValue], _ b: [JSONValue]) -> Bool {
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { a.baseAddress == $0.baseAddress }
    }
  }
}
