extension JSONReader {
  /// Checks and skips the value that comes next, whatever it is; returns its text.
  @discardableResult
  public mutating func skipValue() throws(JSONError) -> UnsafeRawBufferPointer {
    _ = try peekKind()
    let first = cursor
    // One bit for each array or object that is open, set for objects: text may be nested deeper than
    // stacks of secondary threads allow one call for each level.
    var objects: UInt64 = 0
    var openCount = 0
    var isFirst = true
    repeat {
      if openCount > 0 {
        let hasMore =
          objects & 1 != 0 ? try nextKey(&isFirst) != nil : try nextElement(&isFirst)
        guard hasMore else {
          objects >>= 1
          openCount -= 1
          isFirst = false
          continue
        }
      }
      switch try peekKind() {
      case .array where openCount < UInt64.bitWidth:
        try enterArray()
        objects <<= 1
        openCount += 1
        isFirst = true
      case .object where openCount < UInt64.bitWidth:
        try enterObject()
        objects = objects << 1 | 1
        openCount += 1
        isFirst = true
      case .array, .object: try skipValue()
      case .null: _ = try readNull()
      case .bool: _ = try readBool()
      case .number: _ = try scanNumber()
      case .string: _ = try readString()
      }
    } while openCount > 0
    return UnsafeRawBufferPointer(start: first, count: cursor - first)
  }

  /// The value that comes next, as a tree.
  /// - Throws: also `tooLarge` for a tree of more than four mebibytes that takes many times the size of
  ///   its text, as that of a million arrays inside arrays.
  public mutating func readValue() throws(JSONError) -> JSONValue {
    switch try peekKind() {
    case .null:
      _ = try readNull()
      return .null
    case .bool: return .bool(try readBool())
    case .number: return .number(try readNumber())
    case .string: return .string(try readText())
    case .array, .object: if depth >= Self.recursiveDepth { return try readDeepValue() }
    }
    return try readContainer()
  }

  // MARK: -

  /// Levels down to which reading calls itself, which is fast and takes two kilobytes of stack for each
  /// where code is not optimized.
  private static var recursiveDepth: Int { 32 }

  /// The array or object that comes next, as a tree.
  private mutating func readContainer() throws(JSONError) -> JSONValue {
    if try peekKind() == .array {
      try enterArray()
      var elements: [JSONValue] = []
      var isFirst = true
      while try nextElement(&isFirst) {
        elements.append(try readValue())
        if elements.count == Self.manyMembers {
          let count = try elements.count + remainingElements()
          try chargeTree(count * MemoryLayout<JSONValue>.stride)
          elements.reserveCapacity(count)
        }
      }
      if elements.count < Self.manyMembers {
        try chargeTree(elements.count * MemoryLayout<JSONValue>.stride)
      }
      return .array(elements)
    } else {
      try enterObject()
      var members: [(key: String, value: JSONValue)] = []
      var isFirst = true
      while let bytes = try nextKey(&isFirst) {
        let key = String(decoding: bytes, as: UTF8.self)
        members.append((key, try readValue()))
        if members.count == Self.manyMembers {
          let count = try members.count + remainingMembers()
          try chargeTree(count * MemoryLayout<(String, JSONValue)>.stride)
          members.reserveCapacity(count)
        }
      }
      if members.count < Self.manyMembers {
        try chargeTree(members.count * MemoryLayout<(String, JSONValue)>.stride)
      }
      return .object(JSONObject(members: consume members))
    }
  }

  /// An array or object that is being read.
  private struct OpenContainer {
    let isObject: Bool
    var isFirst = true
    /// The name that its value gets in the object around it.
    let key: String
    var elements: [JSONValue] = []
    var members: [(key: String, value: JSONValue)] = []
  }

  /// The array or object that comes next, read without calls inside calls.
  private mutating func readDeepValue() throws(JSONError) -> JSONValue {
    var open: [OpenContainer] = []
    var key = ""
    while true {
      switch try peekKind() {
      case .array:
        try enterArray()
        open.append(OpenContainer(isObject: false, key: key))
      case .object:
        try enterObject()
        open.append(OpenContainer(isObject: true, key: key))
      case .null, .bool, .number, .string: add(try readValue(), key, to: &open)
      }
      while try !enterNext(&open[open.count - 1], &key) {
        let closed = open.removeLast()
        let value = try close(closed)
        if open.isEmpty { return value }
        add(value, closed.key, to: &open)
      }
    }
  }

  private func add(_ value: JSONValue, _ key: String, to open: inout [OpenContainer]) {
    if open[open.count - 1].isObject {
      open[open.count - 1].members.append((key, value))
    } else {
      open[open.count - 1].elements.append(value)
    }
  }

  /// Goes on to the next value in a container.
  /// - Returns: false if the container has ended.
  private mutating func enterNext(
    _ container: inout OpenContainer, _ key: inout String
  ) throws(JSONError) -> Bool {
    guard container.isObject else { return try nextElement(&container.isFirst) }
    guard let bytes = try nextKey(&container.isFirst) else { return false }
    key = String(decoding: bytes, as: UTF8.self)
    return true
  }

  private mutating func close(_ container: OpenContainer) throws(JSONError) -> JSONValue {
    if container.isObject {
      try chargeTree(container.members.count * MemoryLayout<(String, JSONValue)>.stride)
      return .object(JSONObject(members: container.members))
    }
    try chargeTree(container.elements.count * MemoryLayout<JSONValue>.stride)
    return .array(container.elements)
  }

  /// Reads trees whatever their size from now on: text that was taken before must be readable.
  mutating func allowLargeTrees() { treeBytes = .min }

  /// From how many elements on the rest is counted before it is read, so that growing does not take
  /// several times the memory.
  private static var manyMembers: Int { 4096 }

  /// Levels down to which that is done, so that no text is counted often.
  private static var countedDepth: Int { 8 }

  private mutating func remainingElements() throws(JSONError) -> Int {
    guard depth <= Self.countedDepth else { return 0 }
    let here = mark
    var count = 0
    var isFirst = false
    while try nextElement(&isFirst) {
      try skipValue()
      count += 1
    }
    rewind(to: here)
    return count
  }

  private mutating func remainingMembers() throws(JSONError) -> Int {
    guard depth <= Self.countedDepth else { return 0 }
    let here = mark
    var count = 0
    var isFirst = false
    while try nextKey(&isFirst) != nil {
      try skipValue()
      count += 1
    }
    rewind(to: here)
    return count
  }

  /// Memory that a tree may take whatever the size of its text.
  private static var freeTreeBytes: Int { 4 << 20 }

  /// Counts the memory of an array or object with `bytes` of content, its header included.
  private mutating func chargeTree(_ bytes: Int) throws(JSONError) {
    guard bytes > 0 else { return }
    treeBytes += bytes + 40
    guard treeBytes <= Self.freeTreeBytes || treeBytes / 17 <= end - start else {
      throw error(.tooLarge, "the values take more than 17 times the memory of their text")
    }
  }
}

extension JSONValue {
  /// The value of JSON text, as JavaScript's `JSON.parse` reads it, except that half of a surrogate pair,
  /// which UTF-8 cannot hold, becomes U+FFFD.
  /// - Throws: what is wrong with the text, with its byte offset and the path to it.
  public init(
    parsing text: UnsafeRawBufferPointer, limits: JSONLimits = .standard
  ) throws(JSONError) {
    var reader = try JSONReader(text, limits: limits)
    self = try reader.readValue()
    try reader.finish()
  }

  /// The value of JSON text given as UTF-8.
  public init(parsing text: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
    self = try text.withUnsafeBufferPointer { bytes throws(JSONError) in
      try JSONValue(parsing: UnsafeRawBufferPointer(bytes), limits: limits)
    }
  }

  /// The value of JSON text given as a string.
  public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
    self = try JSONValue(parsing: Array(text.utf8), limits: limits)
  }
}
