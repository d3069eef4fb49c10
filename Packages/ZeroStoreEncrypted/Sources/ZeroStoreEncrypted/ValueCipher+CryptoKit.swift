#if canImport(CryptoKit)
  import CryptoKit
  import Foundation

  /// AES-256-GCM through CryptoKit. Belongs to one transaction.
  final class ValueCipher {
    private let key: SymmetricKey

    init?(_ key: EncryptionKey) { self.key = SymmetricKey(data: key.bytes) }

    /// Writes the sealed form of `value` over `target` and returns its length, or nil on failure.
    func seal(
      _ value: UnsafeRawBufferPointer, table: [UInt8], key: UnsafeRawBufferPointer,
      into target: inout [UInt8]
    ) -> Int? {
      guard
        let box = try? AES.GCM.seal(
          Data(value), using: self.key, authenticating: Data(table) + Data(key)),
        let combined = box.combined
      else { return nil }
      target = [SealedValue.format] + combined
      return target.count
    }

    /// Writes the value in `sealed` over `target` and returns its length, or nil if it was not sealed
    /// with this key for this record.
    func open(
      _ sealed: UnsafeRawBufferPointer, table: [UInt8], key: UnsafeRawBufferPointer,
      into target: inout [UInt8]
    ) -> Int? {
      guard sealed.count >= SealedValue.overhead, sealed[0] == SealedValue.format,
        let box = try? AES.GCM.SealedBox(combined: Data(sealed.dropFirst())),
        let value = try? AES.GCM.open(
          box, using: self.key, authenticating: Data(table) + Data(key))
      else { return nil }
      target = Array(value)
      return target.count
    }
  }
#endif
