/// Values under names that are data, such as client IDs, in the order of the wire.
public struct NamedValues<Value> {
  /// Names and values in order. No name occurs twice.
  public private(set) var entries: [(name: String, value: Value)]

  public init() { entries = [] }

  /// Sets the entries one after the other; a repeated name keeps its first place and its last value.
  /// - Complexity: O(n) on average.
  public init(_ entries: some Sequence<(String, Value)>) {
    self.init()
    var places: [UTF8Key: Int] = [:]
    for (name, value) in entries {
      if let place = places[UTF8Key(name)] {
        self.entries[place].value = value
      } else {
        places[UTF8Key(name)] = self.entries.count
        self.entries.append((name, value))
      }
    }
  }

  /// Number of entries.
  public var count: Int { entries.count }
  /// Whether there is no entry.
  public var isEmpty: Bool { entries.isEmpty }

  /// The value of `name`. Setting an existing name keeps its place; setting nil removes the entry.
  /// - Complexity: O(n).
  public subscript(name: String) -> Value? {
    get { place(of: name).map { entries[$0].value } }
    set {
      switch (place(of: name), newValue) {
      case (let place?, let value?): entries[place].value = value
      case (let place?, nil): entries.remove(at: place)
      case (nil, let value?): entries.append((name, value))
      case (nil, nil): break
      }
    }
  }

  // MARK: -

  private func place(of name: String) -> Int? {
    entries.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

extension NamedValues: Sendable where Value: Sendable {}

extension NamedValues: Equatable where Value: Equatable {
  /// The same names with equal values, in any order.
  /// - Complexity: O(n) on average.
  public static func == (a: Self, b: Self) -> Bool {
    guard a.count == b.count else { return false }
    var values: [UTF8Key: Value] = [:]
    values.reserveCapacity(b.count)
    for (name, value) in b.entries { values[UTF8Key(name)] = value }
    return a.entries.allSatisfy { values[UTF8Key($0.name)] == $0.value }
  }
}

extension NamedValues: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}

extension NamedValues: MessagePart where Value: MessagePart {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> NamedValues {
    var values = NamedValues()
    values.entries = try decoder.entries(json) { (decoder, name, value) throws(JSONError) in
      (name: name, value: try Value.read(value, &decoder))
    }
    return values
  }

  var jsonValue: JSONValue {
    .object(JSONObject(entries.map { ($0.name, $0.value.jsonValue) }))
  }
}
