#include "CZeroZlib.h"

int czero_deflate_start(z_stream *stream, int windowBits) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -windowBits, 8,
                      Z_DEFAULT_STRATEGY);
}

int czero_inflate_start(z_stream *stream, int windowBits) {
  // zlib refuses raw streams of 8 bits; a larger window reads them as well.
  return inflateInit2(stream, windowBits == 8 ? -9 : -windowBits);
}
