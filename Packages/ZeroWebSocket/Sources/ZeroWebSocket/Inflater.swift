import CZeroZlib

/// Decompresses messages of permessage-deflate.
struct Inflater: ~Copyable {
  // On the heap because zlib keeps a pointer back to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private let resetsAfterMessage: Bool

  /// - Returns: nil when there is no memory for the window.
  init?(windowBits: Int, resetsAfterMessage: Bool) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    self.stream = stream
    self.resetsAfterMessage = resetsAfterMessage
    guard czero_inflate_start(stream, Int32(windowBits)) == Z_OK else { return nil }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Decompresses `input` to the end of `output`, up to `limit` bytes in all.
  mutating func inflate(
    _ input: UnsafeRawBufferPointer, into output: inout [UInt8], limit: Int
  ) throws(WebSocketError) {
    guard let base = input.bindMemory(to: UInt8.self).baseAddress else { return }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: base)
    stream.pointee.avail_in = uInt(input.count)
    var status = Z_OK
    repeat {
      status = run(into: &output)
      if output.count > limit {
        throw WebSocketError(
          .messageTooLarge, "A compressed message is larger than \(limit) bytes.")
      }
      if status == Z_STREAM_END {
        // A final block ends the stream; what follows starts a new one.
        inflateReset(stream)
      } else if status != Z_OK && status != Z_BUF_ERROR {
        throw violation("a compressed message is corrupt")
      }
    } while status != Z_BUF_ERROR
      && (stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0)
  }

  /// Ends a message: gives back the four bytes that the sender left out.
  mutating func finishMessage(
    into output: inout [UInt8], limit: Int
  ) throws(WebSocketError) {
    try withUnsafeBytes(of: (0, 0, 0xFF, 0xFF) as (UInt8, UInt8, UInt8, UInt8)) {
      bytes throws(WebSocketError) in
      try inflate(bytes, into: &output, limit: limit)
    }
    if resetsAfterMessage { inflateReset(stream) }
  }

  // MARK: -

  private func run(into output: inout [UInt8]) -> Int32 {
    let chunk = 16384
    var status = Z_OK
    let produced = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: chunk) { buffer in
      stream.pointee.next_out = buffer.baseAddress
      stream.pointee.avail_out = uInt(chunk)
      status = CZeroZlib.inflate(stream, Z_SYNC_FLUSH)
      let count = chunk - Int(stream.pointee.avail_out)
      output.append(contentsOf: buffer[..<count])
      return count
    }
    // No progress at all is how zlib says that it needs more input.
    return produced == 0 && status == Z_OK && stream.pointee.avail_in == 0 ? Z_BUF_ERROR : status
  }
}
