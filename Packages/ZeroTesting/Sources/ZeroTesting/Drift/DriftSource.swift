#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where a drift file comes from: a file's URL, or its bytes.
public protocol DriftSource: Sendable {
  /// The bytes of the file.
  func driftBytes() throws -> [UInt8]
}

extension URL: DriftSource {
  /// Reads the file.
  public func driftBytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: self)) }
}

extension Data: DriftSource {
  public func driftBytes() -> [UInt8] { [UInt8](self) }
}

extension [UInt8]: DriftSource {
  public func driftBytes() -> [UInt8] { self }
}
