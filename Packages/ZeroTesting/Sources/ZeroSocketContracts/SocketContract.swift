public import ZeroProtocol

/// What every transport must do: the executable definition of `SocketFactory`.
///
/// Run each of ``cases`` against a factory, ours or your own; each talks to a scripted server on
/// loopback over a real socket.
///
///     @Test(arguments: SocketContract.cases)
///     func holds(_ rule: SocketContract.Case) async throws {
///       try await rule.check(MyFactory())
///     }
public enum SocketContract {
  /// One rule.
  public struct Case: Sendable, CustomStringConvertible {
    /// The rule in words.
    public let name: String
    private let body: @MainActor (SocketTrial) async throws -> Void

    init(_ name: String, _ body: @escaping @MainActor (SocketTrial) async throws -> Void) {
      self.name = name
      self.body = body
    }

    public var description: String { name }

    /// - Throws: ``Violation`` when the rule does not hold.
    @MainActor public func check(_ factory: any SocketFactory) async throws {
      do {
        try await body(SocketTrial(factory: factory))
      } catch let violation as Violation {
        throw violation
      } catch {
        throw Violation(description: "\(name): \(error)")
      }
    }
  }

  /// A rule that does not hold.
  public struct Violation: Error, Sendable, CustomStringConvertible {
    public let description: String
  }

  /// Every rule.
  public static let cases: [Case] = opening + messages + closing + failures
}
