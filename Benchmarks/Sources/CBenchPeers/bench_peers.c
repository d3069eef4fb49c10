#include "bench_peers.h"

#include <string.h>

size_t bench_scan_json(const uint8_t *text, size_t count) {
  size_t delimiters = 0;
  int in_string = 0;
  for (size_t i = 0; i < count; i++) {
    uint8_t byte = text[i];
    if (in_string) {
      if (byte == '\\') {
        i++;
      } else if (byte == '"') {
        in_string = 0;
      }
    } else if (byte == '"') {
      in_string = 1;
    } else {
      delimiters += byte == ',' || byte == ':' || byte == '[' || byte == '{';
    }
  }
  return delimiters;
}

int bench_is_utf8(const uint8_t *bytes, size_t count) {
  size_t i = 0;
  while (i < count) {
    uint8_t first = bytes[i];
    if (first < 0x80) {
      i++;
      continue;
    }
    size_t length;
    uint8_t low = 0x80, high = 0xBF;
    if (first >= 0xC2 && first <= 0xDF) {
      length = 2;
    } else if ((first & 0xF0) == 0xE0) {
      length = 3;
      if (first == 0xE0) low = 0xA0;
      if (first == 0xED) high = 0x9F;
    } else if (first >= 0xF0 && first <= 0xF4) {
      length = 4;
      if (first == 0xF0) low = 0x90;
      if (first == 0xF4) high = 0x8F;
    } else {
      return 0;
    }
    if (count - i < length || bytes[i + 1] < low || bytes[i + 1] > high) return 0;
    for (size_t k = 2; k < length; k++) {
      if ((bytes[i + k] & 0xC0) != 0x80) return 0;
    }
    i += length;
  }
  return 1;
}

static uint32_t rotate(uint32_t value, int count) {
  return value << count | value >> (32 - count);
}

static uint32_t word(const uint8_t *bytes) {
  uint32_t value;
  memcpy(&value, bytes, 4);
  return value;
}

uint32_t bench_xxhash32(const uint8_t *bytes, size_t count, uint32_t seed) {
  const uint32_t p1 = 0x9E3779B1u, p2 = 0x85EBCA77u, p3 = 0xC2B2AE3Du;
  const uint32_t p4 = 0x27D4EB2Fu, p5 = 0x165667B1u;
  const uint8_t *end = bytes + count;
  uint32_t hash = seed + p5;
  if (count >= 16) {
    uint32_t lanes[4] = {seed + p1 + p2, seed + p2, seed, seed - p1};
    for (; end - bytes >= 16; bytes += 16) {
      for (int i = 0; i < 4; i++) {
        lanes[i] = rotate(lanes[i] + word(bytes + 4 * i) * p2, 13) * p1;
      }
    }
    hash = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
  }
  hash += (uint32_t)count;
  for (; end - bytes >= 4; bytes += 4) hash = rotate(hash + word(bytes) * p3, 17) * p4;
  for (; bytes < end; bytes++) hash = rotate(hash + *bytes * p5, 11) * p1;
  hash = (hash ^ hash >> 15) * p2;
  hash = (hash ^ hash >> 13) * p3;
  return hash ^ hash >> 16;
}
