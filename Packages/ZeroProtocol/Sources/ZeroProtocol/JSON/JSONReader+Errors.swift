extension JSONReader {
  /// The whole text.
  var text: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: UnsafeRawPointer(start), count: end - start)
  }

  /// The path to byte `offset`, which was read.
  func path(to offset: Int) -> JSONPath { findsPaths ? JSONPath(to: offset, in: text) : [] }

  /// An error at the next byte, or at `place`.
  @inline(never)
  func error(
    _ code: JSONError.Code, _ message: String, at place: UnsafePointer<UInt8>? = nil
  ) -> JSONError {
    let offset = (place ?? cursor) - start
    return JSONError(code, byteOffset: offset, path: path(to: offset), message: message)
  }

  /// The object that starts at `offset` lacks a member.
  @inline(never)
  func missing(_ member: String, from offset: Int) -> JSONError {
    JSONError(
      .missingMember, byteOffset: offset,
      path: path(to: offset).appending(.key(member)),
      message: "the member is missing")
  }

  /// The next byte is not `wanted`.
  @inline(never)
  mutating func unexpected(_ wanted: String) -> JSONError {
    _ = peek()
    if cursor == end { return error(.unexpectedEnd, "the text ends where \(wanted) is expected") }
    return error(.unexpectedByte, "expected \(wanted), got \(describe(cursor.pointee))")
  }

  /// The next value is not `wanted`; or, thrown, it is no value at all.
  @inline(never)
  mutating func mismatch(_ wanted: String) throws(JSONError) -> JSONError {
    let kind = try peekKind()
    return error(.wrongType, "expected \(wanted), got \(kind.name)")
  }

  private func describe(_ byte: UInt8) -> String {
    byte > 0x20 && byte < 0x7F
      ? "\"\(Character(UnicodeScalar(byte)))\"" : "byte 0x" + String(byte, radix: 16)
  }
}

extension JSONReader.Kind {
  /// What messages call it.
  var name: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue {
  var kind: JSONReader.Kind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}
