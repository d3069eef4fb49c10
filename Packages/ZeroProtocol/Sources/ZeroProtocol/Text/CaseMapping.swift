/// The lower-case form of a whole text as JavaScript makes it: the full mappings of Unicode, with a
/// sigma at the end of a word in its final form.
func lowercasedText(_ text: String) -> String {
  let scalars = Array(text.unicodeScalars)
  var result = ""
  for (place, scalar) in scalars.enumerated() {
    if scalar == "\u{3A3}" {
      result.append(isFinalSigma(scalars, place) ? "\u{3C2}" : "\u{3C3}")
    } else {
      result.append(scalar.properties.lowercaseMapping)
    }
  }
  return result
}

/// One UTF-16 code unit in upper case. A mapping to several units, and one from outside ASCII into
/// it, is not applied; halves of surrogate pairs have none.
func foldedUnit(_ unit: UInt16) -> UInt16 {
  if unit < 0x80 { return UInt16(asciiUppercased(UInt8(unit))) }
  guard let scalar = Unicode.Scalar(unit) else { return unit }
  let upper = scalar.properties.uppercaseMapping.utf16
  guard upper.count == 1, let mapped = upper.first, mapped >= 0x80 else { return unit }
  return mapped
}

func asciiUppercased(_ byte: UInt8) -> UInt8 {
  byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte
}

func asciiLowercased(_ byte: UInt8) -> UInt8 {
  byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte + 32 : byte
}

/// Whether a letter with case stands before the sigma at `place` and none behind it, leaving aside
/// marks and signs that case passes over.
private func isFinalSigma(_ scalars: [Unicode.Scalar], _ place: Int) -> Bool {
  let before = scalars[..<place].last { !$0.properties.isCaseIgnorable }
  let after = scalars[(place + 1)...].first { !$0.properties.isCaseIgnorable }
  return before?.properties.isCased == true && after?.properties.isCased != true
}
