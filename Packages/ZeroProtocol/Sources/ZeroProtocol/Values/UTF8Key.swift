/// A string as a dictionary key that is equal only to the same UTF-8 bytes, where `String` itself
/// also takes canonically equivalent text for equal.
public struct UTF8Key: Hashable, Sendable {
  /// The string itself.
  public let string: String

  public init(_ string: String) { self.string = string }

  public static func == (a: Self, b: Self) -> Bool { a.string.utf8.elementsEqual(b.string.utf8) }

  public func hash(into hasher: inout Hasher) {
    var copy = string
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
