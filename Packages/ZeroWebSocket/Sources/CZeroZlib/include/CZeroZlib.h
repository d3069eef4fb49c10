// The part of zlib that permessage-deflate needs. The initializers of zlib are macros, which Swift
// cannot call.
#ifndef CZEROZLIB_H
#define CZEROZLIB_H

#include <zlib.h>

/// Starts a raw deflate stream of 2^windowBits bytes of window; windowBits is 9 to 15.
int czero_deflate_start(z_stream *stream, int windowBits);

/// Starts to read a raw deflate stream; windowBits is 8 to 15.
int czero_inflate_start(z_stream *stream, int windowBits);

#endif
