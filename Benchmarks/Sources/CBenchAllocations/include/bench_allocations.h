#ifndef BENCH_ALLOCATIONS_H
#define BENCH_ALLOCATIONS_H

#include <stddef.h>
#include <stdint.h>

/// Heap blocks handed out to the calling thread since it started.
uint64_t bench_allocation_count(void);

/// Bytes asked for by the calling thread since it started.
uint64_t bench_allocated_bytes(void);

/// Bytes in use on the heap of the process, by the allocator's own account.
uint64_t bench_heap_bytes_in_use(void);

#endif
