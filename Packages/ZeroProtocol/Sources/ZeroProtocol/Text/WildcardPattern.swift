/// A pattern of literal UTF-16 code units, single wildcards and runs.
struct WildcardPattern: Sendable {
  private enum Element: Equatable, Sendable {
    case unit(UInt16)
    case anyUnit
    case anyRun
  }

  private let elements: [Element]
  private let ignoresCase: Bool
  /// The literal pieces between runs, as UTF-8, when bytes can be compared: without single wildcards,
  /// and, if case is ignored, in texts of ASCII only.
  private let pieces: [[UInt8]]?

  init(_ pattern: String, ignoringCase: Bool) throws(LikePatternError) {
    var elements: [Element] = []
    var units = pattern.utf16.makeIterator()
    while let unit = units.next() {
      switch unit {
      case 0x25: if elements.last != .anyRun { elements.append(.anyRun) }
      case 0x5F: elements.append(.anyUnit)
      case 0x5C:
        guard let escaped = units.next() else { throw LikePatternError(pattern: pattern) }
        elements.append(.unit(ignoringCase ? foldedUnit(escaped) : escaped))
      default: elements.append(.unit(ignoringCase ? foldedUnit(unit) : unit))
      }
    }
    self.elements = elements
    self.ignoresCase = ignoringCase
    pieces = elements.contains(.anyUnit) ? nil : Self.pieces(of: elements)
  }

  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    let isASCII = isASCII(text)
    if let pieces {
      if !ignoresCase { return Self.match(pieces, text) { $0 } }
      // A unit from outside ASCII is never folded into it, so that pieces with one do not fit.
      if isASCII { return Self.match(pieces, text, asciiUppercased) }
    }
    return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: text.count) { units in
      var count = 0
      if isASCII {
        for byte in text {
          units.initializeElement(
            at: count, to: ignoresCase ? UInt16(asciiUppercased(byte)) : UInt16(byte))
          count += 1
        }
      } else {
        for unit in String(decoding: text, as: UTF8.self).utf16 {
          units.initializeElement(at: count, to: ignoresCase ? foldedUnit(unit) : unit)
          count += 1
        }
      }
      return match(UnsafeMutableBufferPointer(rebasing: units[..<count]))
    }
  }

  // MARK: -

  /// Goes on from the last run with one unit more whenever the rest does not fit: an earlier run
  /// never has to be reconsidered.
  private func match(_ units: UnsafeMutableBufferPointer<UInt16>) -> Bool {
    var place = 0
    var element = 0
    var retry: (place: Int, element: Int)?
    while place < units.count {
      if element < elements.count {
        switch elements[element] {
        case .anyRun:
          element += 1
          retry = (place, element)
          continue
        case .anyUnit:
          place += 1
          element += 1
          continue
        case .unit(let unit) where unit == units[place]:
          place += 1
          element += 1
          continue
        case .unit: break
        }
      }
      guard let last = retry else { return false }
      retry = (last.place + 1, last.element)
      place = last.place + 1
      element = last.element
    }
    return elements[element...].allSatisfy { $0 == .anyRun }
  }

  /// The first piece must stand at the start and the last at the end; those between are found from
  /// left to right.
  /// - Parameter fold: what a byte of the text counts as.
  @inline(__always)
  private static func match(
    _ pieces: [[UInt8]], _ text: UnsafeRawBufferPointer, _ fold: (UInt8) -> UInt8
  ) -> Bool {
    func stands(_ piece: [UInt8], at place: Int) -> Bool {
      for i in 0..<piece.count where fold(text[place + i]) != piece[i] { return false }
      return true
    }
    let first = pieces[0]
    guard text.count >= first.count, stands(first, at: 0) else { return false }
    if pieces.count == 1 { return text.count == first.count }
    let last = pieces[pieces.count - 1]
    let end = text.count - last.count
    guard end >= first.count, stands(last, at: end) else { return false }
    var place = first.count
    for piece in pieces[1..<(pieces.count - 1)] {
      while true {
        guard place + piece.count <= end else { return false }
        if stands(piece, at: place) { break }
        place += 1
      }
      place += piece.count
    }
    return true
  }

  private static func pieces(of elements: [Element]) -> [[UInt8]] {
    elements.split(separator: .anyRun, omittingEmptySubsequences: false).map { piece in
      let units = piece.compactMap { if case .unit(let unit) = $0 { unit } else { nil } }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    }
  }
}
