/// JSON text, or a value in it, that cannot be used, and where it is.
public struct JSONError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. New kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Base: String, Hashable, Sendable {
      case unexpectedEnd, unexpectedByte, trailingText, invalidNumber, controlCharacter
      case invalidEscape, invalidUTF8, tooDeep, tooLarge, wrongType, missingMember, invalidValue
      case invalidLength, unknownMember
    }
    private let base: Base
    private init(_ base: Base) { self.base = base }

    /// The text ends inside a value.
    public static let unexpectedEnd = Self(.unexpectedEnd)
    /// A byte that cannot stand there.
    public static let unexpectedByte = Self(.unexpectedByte)
    /// Something other than white space follows the value.
    public static let trailingText = Self(.trailingText)
    /// A number that JSON does not allow, as `01`, `1.` or `+1`.
    public static let invalidNumber = Self(.invalidNumber)
    /// A character below U+0020 in a string, which has to be escaped.
    public static let controlCharacter = Self(.controlCharacter)
    /// A backslash followed by something that is no escape.
    public static let invalidEscape = Self(.invalidEscape)
    /// Bytes in a string that are not UTF-8.
    public static let invalidUTF8 = Self(.invalidUTF8)
    /// More levels of arrays and objects than ``JSONLimits/depth`` allows.
    public static let tooDeep = Self(.tooDeep)
    /// More text than ``JSONLimits/byteCount`` allows, or a tree far larger than its text.
    public static let tooLarge = Self(.tooLarge)
    /// A value of another type than the one expected.
    public static let wrongType = Self(.wrongType)
    /// An object lacks a member it must have.
    public static let missingMember = Self(.missingMember)
    /// A value of the right type that is not allowed there.
    public static let invalidValue = Self(.invalidValue)
    /// An array with fewer or more elements than allowed there.
    public static let invalidLength = Self(.invalidLength)
    /// A member that is not known, where unknown ones are refused.
    public static let unknownMember = Self(.unknownMember)

    public var description: String { base.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// Offset in bytes of the problem from the start of the text; 0 where no text was read.
  public let byteOffset: Int
  /// The members and elements that lead to the problem.
  public let path: JSONPath
  /// What is wrong, without the place.
  public let message: String

  public init(_ code: Code, byteOffset: Int = 0, path: JSONPath = JSONPath(), message: String) {
    self.code = code
    self.byteOffset = byteOffset
    self.path = path
    self.message = message
  }

  public var description: String {
    let place = path.isEmpty ? "" : " at \(path)"
    return "JSON error \(code)\(place), byte \(byteOffset): \(message)"
  }
}

/// How much JSON text is read before it is refused.
public struct JSONLimits: Sendable {
  /// Levels of arrays and objects inside each other. Reading recurses once per level.
  public var depth: Int
  /// Bytes of text.
  public var byteCount: Int

  /// The limits where none are given: 512 levels, 1 GiB.
  public static let standard = JSONLimits(depth: 512, byteCount: 1 << 30)

  public init(depth: Int, byteCount: Int) {
    self.depth = depth
    self.byteCount = byteCount
  }
}
