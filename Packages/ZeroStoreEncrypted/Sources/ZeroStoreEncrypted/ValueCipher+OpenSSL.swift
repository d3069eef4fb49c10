#if canImport(CZeroCrypto) && !canImport(CryptoKit)
  import CZeroCrypto

  /// AES-256-GCM through libcrypto. Belongs to one transaction; nothing is allocated per value.
  final class ValueCipher {
    private let sealing: OpaquePointer
    private let opening: OpaquePointer

    init?(_ key: EncryptionKey) {
      guard let sealing = EVP_CIPHER_CTX_new() else { return nil }
      guard let opening = EVP_CIPHER_CTX_new() else {
        EVP_CIPHER_CTX_free(sealing)
        return nil
      }
      self.sealing = sealing
      self.opening = opening
      let isReady =
        EVP_EncryptInit_ex(sealing, EVP_aes_256_gcm(), nil, key.bytes, nil) == 1
        && EVP_DecryptInit_ex(opening, EVP_aes_256_gcm(), nil, key.bytes, nil) == 1
      if !isReady { return nil }
    }

    deinit {
      EVP_CIPHER_CTX_free(sealing)
      EVP_CIPHER_CTX_free(opening)
    }

    /// Writes the sealed form of `value` over `target` and returns its length, or nil on failure.
    func seal(
      _ value: UnsafeRawBufferPointer, table: [UInt8], key: UnsafeRawBufferPointer,
      into target: inout [UInt8]
    ) -> Int? {
      let length = value.count + SealedValue.overhead
      if target.count < length { target = [UInt8](repeating: 0, count: length) }
      let isSealed = target.withUnsafeMutableBytes { target -> Bool in
        guard let start = target.baseAddress else { return false }
        target[0] = SealedValue.format
        let (low, high) = SealedValue.nonce()
        target.storeBytes(of: low, toByteOffset: 1, as: UInt64.self)
        target.storeBytes(of: high, toByteOffset: 9, as: UInt32.self)
        let body = (start + 1 + SealedValue.nonceBytes).assumingMemoryBound(to: UInt8.self)
        var written: Int32 = 0
        return EVP_EncryptInit_ex(
          sealing, nil, nil, nil, (start + 1).assumingMemoryBound(to: UInt8.self)) == 1
          && EVP_EncryptUpdate(sealing, nil, &written, table, Int32(table.count)) == 1
          && update(EVP_EncryptUpdate, sealing, nil, key)
          && update(EVP_EncryptUpdate, sealing, body, value)
          && EVP_EncryptFinal_ex(sealing, body + value.count, &written) == 1
          && EVP_CIPHER_CTX_ctrl(
            sealing, EVP_CTRL_AEAD_GET_TAG, Int32(SealedValue.tagBytes), body + value.count) == 1
      }
      return isSealed ? length : nil
    }

    /// Writes the value in `sealed` over `target` and returns its length, or nil if it was not sealed
    /// with this key for this record.
    func open(
      _ sealed: UnsafeRawBufferPointer, table: [UInt8], key: UnsafeRawBufferPointer,
      into target: inout [UInt8]
    ) -> Int? {
      let length = sealed.count - SealedValue.overhead
      guard length >= 0, sealed[0] == SealedValue.format, let start = sealed.baseAddress else {
        return nil
      }
      // The library finishes with a pointer past the value, which an empty array has not.
      if target.count <= length { target = [UInt8](repeating: 0, count: length + 1) }
      let nonce = (start + 1).assumingMemoryBound(to: UInt8.self)
      let body = UnsafeRawBufferPointer(start: start + 1 + SealedValue.nonceBytes, count: length)
      let tag = UnsafeMutableRawPointer(mutating: start + sealed.count - SealedValue.tagBytes)
      let isOpen = target.withUnsafeMutableBytes { target -> Bool in
        let target = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var written: Int32 = 0
        return EVP_DecryptInit_ex(opening, nil, nil, nil, nonce) == 1
          && EVP_DecryptUpdate(opening, nil, &written, table, Int32(table.count)) == 1
          && update(EVP_DecryptUpdate, opening, nil, key)
          && update(EVP_DecryptUpdate, opening, target, body)
          && EVP_CIPHER_CTX_ctrl(
            opening, EVP_CTRL_AEAD_SET_TAG, Int32(SealedValue.tagBytes), tag) == 1
          && EVP_DecryptFinal_ex(opening, target.map { $0 + length }, &written) == 1
      }
      return isOpen ? length : nil
    }

    // MARK: -

    private typealias Update = (
      OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?,
      UnsafePointer<UInt8>?, Int32
    ) -> Int32

    /// Feeds bytes, of which there may be none: the library refuses a null pointer then.
    private func update(
      _ call: Update, _ context: OpaquePointer, _ target: UnsafeMutablePointer<UInt8>?,
      _ bytes: UnsafeRawBufferPointer
    ) -> Bool {
      guard !bytes.isEmpty else { return true }
      var written: Int32 = 0
      let source = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return call(context, target, &written, source, Int32(clamping: bytes.count)) == 1
    }
  }
#endif
