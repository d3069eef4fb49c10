#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A std::set of texts, ordered by their bytes.
typedef struct bench_ordered_set bench_ordered_set;

bench_ordered_set *bench_ordered_set_create(void);
void bench_ordered_set_destroy(bench_ordered_set *set);
/// Inserts `count` texts of `length` bytes each that lie one after the other, with a hint if they are
/// sorted.
void bench_ordered_set_fill(bench_ordered_set *set, const char *texts, size_t length, size_t count);
/// How many of the texts are in the set.
size_t bench_ordered_set_find(
    const bench_ordered_set *set, const char *texts, size_t length, size_t count);
/// Inserts and erases each text.
void bench_ordered_set_churn(
    bench_ordered_set *set, const char *texts, size_t length, size_t count);
/// The sum of all sizes, so that every element is visited.
size_t bench_ordered_set_scan(const bench_ordered_set *set);

#ifdef __cplusplus
}
#endif
