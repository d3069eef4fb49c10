import ZeroProtocol

/// The members of an object in a drift file, read with errors that say where it is.
struct DriftFields {
  let object: JSONObject
  /// The path to the object, as `queries[0].samples[1]`; empty for the file.
  let place: String

  /// An element of an array, and where it is.
  struct Element {
    let value: JSONValue
    let place: String
  }

  init(_ value: JSONValue, _ place: String) throws(DriftFormatError) {
    guard case .object(let object) = value else {
      throw DriftFormatError("\(place.isEmpty ? "the file" : place) is no object")
    }
    self.object = object
    self.place = place
  }

  /// Refuses members other than these: what they say would go unchecked.
  func allow(_ names: [String]) throws(DriftFormatError) {
    for (name, _) in object.members
    where !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
      throw DriftFormatError("\(path(name)) is not known in the format \(DriftFile.format)")
    }
  }

  func value(_ name: String) throws(DriftFormatError) -> JSONValue {
    guard let value = object[name] else { throw DriftFormatError("\(path(name)) is missing") }
    return value
  }

  func fields(_ name: String) throws(DriftFormatError) -> DriftFields {
    try DriftFields(value(name), path(name))
  }

  func array(_ name: String) throws(DriftFormatError) -> [Element] {
    guard case .array(let elements) = try value(name) else { throw mismatch(name, "an array") }
    return elements.enumerated().map { Element(value: $1, place: path(name) + "[\($0)]") }
  }

  func string(_ name: String) throws(DriftFormatError) -> String {
    guard case .string(let text) = try value(name) else { throw mismatch(name, "a string") }
    return text
  }

  func optionalString(_ name: String) throws(DriftFormatError) -> String? {
    object[name] == nil ? nil : try string(name)
  }

  func optionalBool(_ name: String) throws(DriftFormatError) -> Bool? {
    guard let value = object[name] else { return nil }
    guard case .bool(let flag) = value else { throw mismatch(name, "true or false") }
    return flag
  }

  func optionalInteger(_ name: String) throws(DriftFormatError) -> Int? {
    guard let value = object[name] else { return nil }
    guard case .number(let number) = value, let integer = Int(exactly: number) else {
      throw mismatch(name, "an integer")
    }
    return integer
  }

  // MARK: -

  private func path(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

  private func mismatch(_ name: String, _ expected: String) -> DriftFormatError {
    DriftFormatError("\(path(name)) is not \(expected)")
  }
}

/// A part of a drift file is not as the format wants it.
struct DriftFormatError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
