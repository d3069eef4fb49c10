/// The start line and headers of an HTTP/1.1 message.
public struct HTTPHead: Sendable, Equatable {
  /// Request line or status line, without its line break.
  public var startLine: String
  /// Names in lower case, in order.
  public var headers: [(name: String, value: String)]

  public static func == (left: Self, right: Self) -> Bool {
    left.startLine == right.startLine
      && left.headers.elementsEqual(right.headers) { $0.name == $1.name && $0.value == $1.value }
  }

  /// The values of all headers of this name, joined with commas; nil when there is none.
  /// - Parameter name: in lower case.
  public func value(of name: String) -> String? {
    let values = headers.filter { $0.name == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// Parses a head without its empty last line.
  /// - Returns: nil for bytes that are not one.
  init?(_ bytes: ArraySlice<UInt8>) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0
    }
    guard let first = lines.first, !first.isEmpty else { return nil }
    startLine = String(decoding: first, as: UTF8.self)
    headers = []
    for line in lines.dropFirst() where !line.isEmpty {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
        return nil
      }
      let name = line[..<colon]
      guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
      headers.append(
        (
          String(decoding: name, as: UTF8.self).lowercased(),
          HeaderList.trim(String(decoding: line[(colon + 1)...], as: UTF8.self))
        ))
    }
  }
}

/// Collects bytes until a head is complete.
struct HTTPHeadReader {
  private(set) var bytes: [UInt8] = []
  private var scanned = 0
  let maxBytes: Int

  init(maxBytes: Int = 128 << 10) { self.maxBytes = maxBytes }

  var isOverLimit: Bool { bytes.count > maxBytes }

  mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

  /// Removes the first complete head from what was collected.
  /// - Returns: nil when more bytes are needed; a nil head for one that cannot be read.
  mutating func next() -> (head: HTTPHead?, Void)? {
    while scanned < bytes.count {
      defer { scanned += 1 }
      guard bytes[scanned] == UInt8(ascii: "\n"), scanned > 0 else { continue }
      let before = bytes[scanned - 1]
      guard
        before == UInt8(ascii: "\n")
          || before == UInt8(ascii: "\r") && scanned > 1 && bytes[scanned - 2] == UInt8(ascii: "\n")
      else { continue }
      let head = HTTPHead(bytes[...scanned])
      bytes.removeSubrange(...scanned)
      scanned = -1
      return (head, ())
    }
    return nil
  }
}
