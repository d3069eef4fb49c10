#pragma once
#include <stdint.h>

/// Heap blocks handed out to the calling thread since it started; always 0 where the C library is
/// not glibc.
uint64_t zero_allocation_count(void);
