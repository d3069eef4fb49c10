/// Where received bytes land before they are taken apart.
///
/// Safe to pass into a channel's lock: the loop makes one and only the I/O thread touches it.
struct ReadBuffer: @unchecked Sendable {
  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 64)

  func deallocate() { bytes.deallocate() }
}
