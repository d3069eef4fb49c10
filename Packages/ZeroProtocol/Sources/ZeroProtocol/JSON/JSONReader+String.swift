extension JSONReader {
  /// The string that comes next, its escapes resolved, as valid UTF-8. The bytes are valid until
  /// the reader is used again: a string without escapes is lent from the text itself.
  /// - Throws: `wrongType`, `controlCharacter`, `invalidEscape`, `invalidUTF8`, `unexpectedEnd`.
  public mutating func readString() throws(JSONError) -> UnsafeRawBufferPointer {
    guard peek() == UInt8(ascii: "\"") else { throw try mismatch("a string") }
    cursor += 1
    let first = cursor
    let stop = scanPlain(from: first)
    guard stop.place < end else { throw unterminated(first) }
    guard stop.place.pointee == UInt8(ascii: "\"") else {
      return try readEscaped(first, stop.place, isASCII: stop.isASCII)
    }
    let bytes = UnsafeRawBufferPointer(start: first, count: stop.place - first)
    if !stop.isASCII { try checkUTF8(bytes) }
    cursor = stop.place + 1
    return bytes
  }

  /// The string that comes next.
  public mutating func readText() throws(JSONError) -> String {
    String(decoding: try readString(), as: UTF8.self)
  }

  /// The first quote, backslash or control character from `place` on, or the end of the text.
  @inline(__always)
  func scanPlain(from place: UnsafePointer<UInt8>) -> (place: UnsafePointer<UInt8>, isASCII: Bool) {
    var place = place
    var seen: UInt64 = 0
    while end - place >= 8 {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
      let hits = StringStops.marks(word)
      if hits != 0 {
        let bits = hits.trailingZeroBitCount & ~7
        seen |= word & ((1 << UInt64(bits)) &- 1)
        return (place + bits / 8, seen & StringStops.highs == 0)
      }
      seen |= word
      place += 8
    }
    while place < end {
      let byte = place.pointee
      if StringStops.isStop(byte) { break }
      seen |= UInt64(byte)
      place += 1
    }
    return (place, seen & StringStops.highs == 0)
  }

  /// Puts a string together that has an escape, or throws at a control character.
  @inline(never)
  private mutating func readEscaped(
    _ first: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>, isASCII: Bool
  ) throws(JSONError) -> UnsafeRawBufferPointer {
    scratch.removeAll()
    var from = first
    var stop = stop
    var isASCII = isASCII
    while true {
      let plain = UnsafeRawBufferPointer(start: from, count: stop - from)
      if !isASCII { try checkUTF8(plain) }
      scratch.append(plain)
      guard stop < end else { throw unterminated(first) }
      switch stop.pointee {
      case UInt8(ascii: "\""):
        cursor = stop + 1
        return scratch.bytes
      case UInt8(ascii: "\\"):
        from = try readEscape(stop)
      default:
        throw error(.controlCharacter, "a control character in a string must be escaped", at: stop)
      }
      (stop, isASCII) = scanPlain(from: from)
    }
  }

  /// Appends the character that the escape at `place` stands for; returns where the text goes on.
  private mutating func readEscape(
    _ place: UnsafePointer<UInt8>
  ) throws(JSONError) -> UnsafePointer<UInt8> {
    guard place + 1 < end else { throw unterminated(place) }
    let letter = place[1]
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(letter)
    case UInt8(ascii: "b"): scratch.append(0x08)
    case UInt8(ascii: "f"): scratch.append(0x0C)
    case UInt8(ascii: "n"): scratch.append(0x0A)
    case UInt8(ascii: "r"): scratch.append(0x0D)
    case UInt8(ascii: "t"): scratch.append(0x09)
    case UInt8(ascii: "u"):
      let unit = try readUnit(place)
      guard UTF16.isLeadSurrogate(unit), place + 7 < end, place[6] == UInt8(ascii: "\\"),
        place[7] == UInt8(ascii: "u")
      else {
        scratch.append(Unicode.Scalar(unit) ?? "\u{FFFD}")
        return place + 6
      }
      let second = try readUnit(place + 6)
      guard UTF16.isTrailSurrogate(second) else {
        scratch.append("\u{FFFD}")
        return place + 6
      }
      let value = 0x10000 + (UInt32(unit & 0x3FF) << 10) + UInt32(second & 0x3FF)
      scratch.append(Unicode.Scalar(value) ?? "\u{FFFD}")
      return place + 12
    default:
      throw error(.invalidEscape, "a backslash must begin an escape", at: place)
    }
    return place + 2
  }

  /// The four hex digits of the `\u` escape at `place`.
  private func readUnit(_ place: UnsafePointer<UInt8>) throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for i in 2..<6 {
      guard place + i < end else { throw unterminated(place) }
      guard let digit = hexDigit(place[i]) else {
        throw error(.invalidEscape, "\\u needs four hexadecimal digits", at: place)
      }
      unit = unit << 4 | digit
    }
    return unit
  }

  private func hexDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  private func unterminated(_ place: UnsafePointer<UInt8>) -> JSONError {
    JSONError(
      .unexpectedEnd, byteOffset: end - start, path: path(to: place - start),
      message: "the text ends inside a string")
  }

  private func checkUTF8(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
    if let invalid = firstInvalidUTF8(bytes), let base = bytes.baseAddress {
      let place = base.assumingMemoryBound(to: UInt8.self) + invalid
      throw error(.invalidUTF8, "bytes that are not UTF-8", at: place)
    }
  }
}
