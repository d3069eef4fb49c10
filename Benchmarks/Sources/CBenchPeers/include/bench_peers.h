// The same work in plain C, as peers of benchmarks.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Walks over JSON text byte by byte, inside and outside strings; returns the number of values'
/// delimiters, so that the walk is not left out.
size_t bench_scan_json(const uint8_t *text, size_t count);

/// Whether the bytes are UTF-8, one byte after the other.
int bench_is_utf8(const uint8_t *bytes, size_t count);

/// The 32-bit xxHash.
uint32_t bench_xxhash32(const uint8_t *bytes, size_t count, uint32_t seed);
