public import ZeroProtocol

/// A case that did not come out as recorded, or a vector that is not understood.
public struct VectorFailure: Error, CustomStringConvertible {
  public let message: String

  public init(_ message: String) { self.message = message }

  public var description: String { message }
}

/// Fails unless the two are equal.
public func expectEqual<T: Equatable>(
  _ actual: T, _ expected: T, _ what: @autoclosure () -> String
) throws {
  guard actual != expected else { return }
  throw VectorFailure("\(what()): expected \(expected), got \(actual)")
}

/// Fails unless the two have the same UTF-8 bytes.
public func expectEqual(
  _ actual: String, _ expected: String, _ what: @autoclosure () -> String
) throws {
  guard !actual.utf8.elementsEqual(expected.utf8) else { return }
  throw VectorFailure(
    "\(what()): expected \(expected.debugDescription), got \(actual.debugDescription)")
}

/// Fails unless the two are the same value, objects with their members in any order.
public func expectEqual(
  _ actual: JSONValue, _ expected: JSONValue, _ what: @autoclosure () -> String
) throws {
  guard actual != expected else { return }
  throw VectorFailure("\(what()): expected \(expected.jsonString), got \(actual.jsonString)")
}

/// Fails unless `body` throws.
public func expectThrows<T>(_ what: String, _ body: () throws -> T) throws {
  let result: T
  do {
    result = try body()
  } catch {
    return
  }
  throw VectorFailure("\(what): expected an error, got \(result)")
}
