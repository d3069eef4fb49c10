/// The way from the top of a JSON value to something in it.
public struct JSONPath: Hashable, Sendable {
  /// One step down: a member of an object or an element of an array.
  public enum Element: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  /// The steps from the top.
  public var elements: [Element]

  public init(_ elements: [Element] = []) { self.elements = elements }

  /// Whether this is the top itself.
  public var isEmpty: Bool { elements.isEmpty }

  /// This path and one step more.
  public func appending(_ element: Element) -> JSONPath { JSONPath(elements + [element]) }
}

extension JSONPath: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension JSONPath.Element: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .key(value) }
  public init(integerLiteral value: Int) { self = .index(value) }
}

extension JSONPath: CustomStringConvertible {
  /// The steps with points between them, as `0.rowsPatch.3.op`; of long keys only the beginning.
  public var description: String {
    elements.map { element in
      switch element {
      case .key(let key): excerpt(key)
      case .index(let index): String(index)
      }
    }.joined(separator: ".")
  }
}

extension JSONPath {
  /// The path to byte `offset` of JSON text that is well formed up to there.
  ///
  /// Errors find their path with this when they are made, so that reading keeps no path.
  init(to offset: Int, in text: UnsafeRawBufferPointer) {
    struct Level {
      var isObject: Bool
      var index = 0
      var key: String?
      var isBeforeKey: Bool
    }
    var levels: [Level] = []
    var place = 0
    let end = min(offset, text.count)
    while place < end {
      let byte = text[place]
      place += 1
      switch byte {
      case UInt8(ascii: "{"): levels.append(Level(isObject: true, isBeforeKey: true))
      case UInt8(ascii: "["): levels.append(Level(isObject: false, isBeforeKey: false))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = levels.popLast()
      case UInt8(ascii: ","):
        guard let last = levels.indices.last else { continue }
        levels[last].index += 1
        levels[last].key = nil
        levels[last].isBeforeKey = levels[last].isObject
      case UInt8(ascii: ":"):
        if let last = levels.indices.last { levels[last].isBeforeKey = false }
      case UInt8(ascii: "\""):
        let start = place
        while place < end, text[place] != UInt8(ascii: "\"") {
          place += text[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        if let last = levels.indices.last, levels[last].isBeforeKey, place < end {
          let raw = UnsafeRawBufferPointer(rebasing: text[start..<min(place, end)])
          levels[last].key = String(decoding: raw, as: UTF8.self)
        }
        place += 1
      default: break
      }
    }
    self.init(
      levels.compactMap { level in
        level.isObject ? level.key.map { .key($0) } : .index(level.index)
      })
  }
}
