#include "bench_allocations.h"

#include <stdlib.h>

static _Thread_local uint64_t count;
static _Thread_local uint64_t bytes;

uint64_t bench_allocation_count(void) { return count; }
uint64_t bench_allocated_bytes(void) { return bytes; }

#if defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>

uint64_t bench_heap_bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return (uint64_t)info.uordblks + (uint64_t)info.hblkhd;
}

// These definitions take the place of the C library's in every benchmark, count, and pass the call
// on.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count += 1;
  bytes += size;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count += 1;
  bytes += number * size;
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count += 1;
  bytes += size;
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count += 1;
  bytes += size;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  count += 1;
  bytes += size;
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *block = memory;
  return 0;
}

#else

uint64_t bench_heap_bytes_in_use(void) { return 0; }

#endif
