// The other side of the socket benchmarks, and the floors to compare with: plain C, blocking, a thread
// for each connection.
#ifndef BENCH_SOCKETS_H
#define BENCH_SOCKETS_H

#include <stddef.h>
#include <stdint.h>

/// Starts a WebSocket server on a free port of loopback, with TLS if a certificate is given. It serves
///   /echo      every message comes back
///   /push      a text message "SIZE COUNT" is answered by COUNT text messages of SIZE bytes
///   /idle      nothing; costs no thread
///   /download  an HTTP response; the query is its length
/// Returns the port, or 0.
uint16_t bench_start_server(const char *certificate, const char *key);

/// Starts a server that sends back what it gets, without any protocol. Returns the port, or 0.
uint16_t bench_start_raw_echo(void);

/// Sends `size` bytes and waits for them, `count` times; stores the microseconds each took.
int bench_raw_echo(uint16_t port, size_t size, size_t count, double *microseconds);

/// Downloads `url` with libcurl, trusting `authorities`. Returns the number of bytes or -1.
long bench_download(const char *url, const char *authorities);

/// XORs `bytes` with the key, a word at a time.
void bench_mask(uint8_t *bytes, size_t count, uint32_t key);

/// Lets the process have as many descriptors as the system allows.
void bench_raise_descriptor_limit(void);
/// Seconds of CPU this process has used.
double bench_cpu_seconds(void);
/// Bytes that the allocator has handed out.
long bench_heap_bytes(void);
/// Bytes resident now, after the allocator has given back what is free.
long bench_resident_bytes(void);
/// Bytes resident at most since `bench_reset_peak`.
long bench_peak_bytes(void);
void bench_reset_peak(void);

#endif
