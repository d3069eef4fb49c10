import ZeroProtocol

/// A command of the control endpoint: a JSON object whose member `do` names it.
struct ControlRequest {
  let command: String
  private let members: JSONObject

  /// A command that cannot be carried out.
  struct Failure: Error {
    let message: String
  }

  init(_ json: JSONValue) throws(Failure) {
    guard case .object(let members) = json, case .string(let command)? = members["do"] else {
      throw Failure(message: "expected an object with a member \"do\" that names the command")
    }
    self.command = command
    self.members = members
  }

  func text(_ name: String) throws(Failure) -> String {
    guard let text = try optionalText(name) else {
      throw Failure(message: "\"\(command)\" needs a text \"\(name)\"")
    }
    return text
  }

  func optionalText(_ name: String) throws(Failure) -> String? {
    switch members[name] {
    case nil: nil
    case .string(let text)?: text
    default: throw Failure(message: "\"\(name)\" of \"\(command)\" must be text")
    }
  }

  func number(_ name: String, _ range: ClosedRange<Double>) throws(Failure) -> Double? {
    guard let value = members[name] else { return nil }
    guard case .number(let number) = value, range.contains(number) else {
      let limits = "\(range.lowerBound) to \(range.upperBound)"
      throw Failure(message: "\"\(name)\" of \"\(command)\" must be a number from \(limits)")
    }
    return number
  }

  func objects(_ name: String) throws(Failure) -> [JSONObject] {
    guard case .array(let elements)? = members[name] else {
      throw Failure(message: "\"\(command)\" needs a list \"\(name)\"")
    }
    var objects: [JSONObject] = []
    for element in elements {
      guard case .object(let object) = element else {
        throw Failure(message: "\"\(name)\" of \"\(command)\" must be a list of objects")
      }
      objects.append(object)
    }
    return objects
  }

  func object(_ name: String) -> JSONObject? {
    if case .object(let object)? = members[name] { object } else { nil }
  }

  /// The members that are not named, in order.
  func rest(besides names: Set<String>) -> [(String, JSONValue)] {
    members.members.filter { $0.key != "do" && !names.contains($0.key) }.map { ($0.key, $0.value) }
  }
}
