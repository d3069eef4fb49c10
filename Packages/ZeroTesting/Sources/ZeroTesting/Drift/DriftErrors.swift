import ZeroProtocol

/// The comparison of errors of both sides.
enum DriftErrors {
  /// Why a Swift error is not the recorded one; nil if it is. Only the words of application errors
  /// are compared: those of other errors belong to their language.
  /// - Parameter needsDetails: whether details that the file leaves out must not be there.
  static func difference(
    _ recorded: DriftFile.ErrorSample, _ error: any Error, needsDetails: Bool
  ) -> String? {
    guard let message = recorded.message, let own = applicationError(error) else { return nil }
    if !own.message.utf8.elementsEqual(message.utf8) {
      return "the messages of the errors differ\nrecorded: \(message)\nSwift:    \(own.message)"
    }
    guard own.details != recorded.details, needsDetails || recorded.details != nil else {
      return nil
    }
    return "the details of the errors differ\nrecorded: \(text(recorded.details))\nSwift:    "
      + text(own.details)
  }

  // MARK: -

  private static func applicationError(_ error: any Error) -> ApplicationError? {
    switch error {
    case is InputValidationError: return nil
    case let error as ApplicationError: return error
    case ZeroError.application(let error): return error
    case let error as any ApplicationErrorSource: return ApplicationError(wrapping: error)
    default: return nil
    }
  }

  private static func text(_ details: JSONValue?) -> String { details?.jsonString ?? "none" }
}
