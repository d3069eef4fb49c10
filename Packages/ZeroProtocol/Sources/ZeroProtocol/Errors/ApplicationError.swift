/// An error of the app's own code, in a mutator for instance, as it is reported.
///
/// Throw it to choose both parts yourself. Anything else that is thrown is wrapped.
public struct ApplicationError: Error, Sendable, Equatable {
  /// The text for people.
  public let message: String
  /// What else is known. Nil if there is nothing, which is not the same as JSON null.
  public let details: JSONValue?

  /// An error with that message; `details` are any JSON that the app understands.
  public init(_ message: String, details: JSONValue? = nil) {
    self.message = message
    self.details = details
  }

  /// Reports any error: an ``ApplicationError`` as it is, an ``ApplicationErrorSource`` with its own
  /// words, or with those of its cause if it has none, and everything else with its description, and
  /// the name of its type as `{"name": …}`.
  public init(wrapping error: any Error) {
    if let error = error as? ApplicationError {
      self = error
      return
    }
    switch error as? ZeroError {
    case .application(let error)?:
      self = error
      return
    case .inputValidation(let error)?:
      self.init(wrapping: error)
      return
    default: break
    }
    guard let source = error as? any ApplicationErrorSource else {
      self.init(
        "\(error)", details: .object(["name": .string(String(describing: type(of: error)))]))
      return
    }
    self.init(Self.message(of: source), details: source.applicationDetails)
  }

  /// Reports a JSON value that code in another language threw; nil stands for no value at all.
  public init(thrown value: JSONValue?) {
    switch value {
    case nil: self.init("a value that cannot be described was thrown")
    case .string(let text)?: self.init(text, details: value)
    case .object(let object)?:
      let details = object["details"] ?? value
      if case .string(let message)? = object["message"], !message.isEmpty {
        self.init(message, details: details)
      } else {
        self.init(Self.text(describing: value), details: details)
      }
    case .null?: self.init(Self.text(describing: value))
    default: self.init(Self.text(describing: value), details: value)
    }
  }

  // MARK: -

  private static let causeLimit = 100

  private static func message(of source: any ApplicationErrorSource) -> String {
    var error: any Error = source
    for _ in 0..<causeLimit {
      guard let source = error as? any ApplicationErrorSource else {
        return ApplicationError(wrapping: error).message
      }
      if !source.applicationMessage.isEmpty { return source.applicationMessage }
      guard let cause = source.applicationCause else { break }
      error = cause
    }
    return "an error without a message: \(type(of: source))"
  }

  private static func text(describing value: JSONValue?) -> String {
    "the value \(value?.jsonString ?? "") was thrown"
  }
}

extension ApplicationError: CustomStringConvertible {
  public var description: String { message }
}

/// An error that says itself how it is reported to those who caused it.
public protocol ApplicationErrorSource: Error {
  /// The message; if it is empty that of the cause is taken.
  var applicationMessage: String { get }
  /// JSON to go with the message; nil for none.
  var applicationDetails: JSONValue? { get }
  /// The error behind this one.
  var applicationCause: (any Error)? { get }
}

extension ApplicationErrorSource {
  public var applicationDetails: JSONValue? { nil }
  public var applicationCause: (any Error)? { nil }
}
