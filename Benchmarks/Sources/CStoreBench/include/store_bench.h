#ifndef STORE_BENCH_H
#define STORE_BENCH_H

#include <stddef.h>
#include <stdint.h>

// The work of the store benchmarks done straight with the libraries: what our stores are measured
// against. One table, keys of KEY_BYTES and values of VALUE_BYTES, as the caller lays them out.
// Functions return 0, or the library's error.

// The sum of some bytes: what every contender does with each value it scans.
uint64_t store_bench_sum(const void *bytes, size_t count);

typedef struct store_bench store_bench;

// `level`: 0 the library never synchronizes, 1 ordered, 2 every commit.
int store_bench_open(int is_lmdb, const char *path, int level, store_bench **out);
void store_bench_close(store_bench *store);

// Puts `count` records in one transaction. Each value begins with the number of its record.
int store_bench_bulk(store_bench *store, const uint8_t *keys, size_t key_bytes, uint8_t *value,
                     size_t value_bytes, size_t first, size_t count);
// Reads all records in order and adds up the lengths of keys and the bytes of values.
int store_bench_scan(store_bench *store, uint64_t *sum);
// Looks up the records at `order` in one snapshot and adds up first bytes.
int store_bench_get(store_bench *store, const uint8_t *keys, size_t key_bytes,
                    const uint32_t *order, size_t count, uint64_t *sum);
// Deletes the records of which the keys begin with `prefix`.
int store_bench_delete_prefix(store_bench *store, const uint8_t *prefix, size_t prefix_bytes);

#endif
