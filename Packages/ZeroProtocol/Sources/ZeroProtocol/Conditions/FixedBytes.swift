/// Bytes that never change, in memory of their own, so that reading them counts no references.
///
/// Sendable in place of a lock: the memory is written only by `init`.
final class FixedBytes: @unchecked Sendable {
  /// Valid while this object is.
  let bytes: UnsafeRawBufferPointer

  init(_ text: some Collection<UInt8>) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
    memory.copyBytes(from: text)
    bytes = UnsafeRawBufferPointer(memory)
  }

  deinit { bytes.deallocate() }
}
