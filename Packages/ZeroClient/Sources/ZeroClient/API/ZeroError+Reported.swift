import ZeroIVM
import ZeroProtocol

extension ZeroError {
  /// An error as the public interface shows it: a `ZeroError` where it has a case for it, otherwise
  /// the error itself, such as a `QueryError` or one of the app's own code.
  static func reported(_ error: any Error) -> any Error {
    switch error {
    case let error as OptionError:
      return ZeroError.client(ClientError(.internal, error.inSwift, cause: error))
    case is EngineError, is DuplicateMutatorError, is UnregisteredMutatorError,
      is MutatorWriteError, is JSONEncodingError, is PokeError:
      return ZeroError.client(ClientError(.internal, "\(error)", cause: error))
    default: return ZeroError(classifying: error) ?? error
    }
  }

  /// Runs `body`; what it throws comes out ``reported(_:)``.
  static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw reported(error) }
  }
}

extension OptionError {
  /// The description with the names that options have here instead of those of the reference.
  fileprivate var inSwift: String {
    switch option {
    case "server": "ZeroOptions.cacheURL \(message)"
    case "hiddenTabDisconnectDelay": "ZeroOptions.hiddenDisconnectDelay \(message)"
    default: description
    }
  }
}
