import CZeroZlib

/// Compresses messages for permessage-deflate.
struct Deflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  private let resetsAfterMessage: Bool

  /// - Parameter windowBits: 9 to 15; zlib cannot write raw streams with a smaller window.
  /// - Returns: nil when there is no memory for the window.
  init?(windowBits: Int, resetsAfterMessage: Bool) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    self.stream = stream
    self.resetsAfterMessage = resetsAfterMessage
    guard czero_deflate_start(stream, Int32(windowBits)) == Z_OK else { return nil }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Compresses one message, without the four bytes at its end that RFC 7692 leaves out.
  mutating func deflate(_ message: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(message.count / 2 + 64)
    message.withUnsafeBufferPointer { input in
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.pointee.avail_in = uInt(input.count)
      repeat {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16384) { buffer in
          stream.pointee.next_out = buffer.baseAddress
          stream.pointee.avail_out = uInt(buffer.count)
          _ = CZeroZlib.deflate(stream, Z_SYNC_FLUSH)
          output.append(contentsOf: buffer[..<(buffer.count - Int(stream.pointee.avail_out))])
        }
      } while stream.pointee.avail_out == 0
    }
    if output.suffix(4) == [0, 0, 0xFF, 0xFF] { output.removeLast(4) }
    if output.isEmpty { output = [0] }
    if resetsAfterMessage { deflateReset(stream) }
    return output
  }
}
