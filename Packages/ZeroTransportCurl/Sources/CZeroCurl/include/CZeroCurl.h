// libcurl's option functions are variadic, which Swift cannot call, and the system calls of the I/O
// thread differ between platforms. Both are given fixed shapes here.
#ifndef CZEROCURL_H
#define CZEROCURL_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

// MARK: - libcurl

CURLcode czero_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode czero_set_long(CURL *easy, CURLoption option, long value);
CURLcode czero_set_error_buffer(CURL *easy, char *buffer);

/// The connected socket, or -1.
int czero_active_socket(CURL *easy);
/// The error number of the system behind the last failure to connect, or 0.
long czero_os_errno(CURL *easy);
/// The proxy's answer to CONNECT, or 0.
long czero_proxy_status(CURL *easy);
/// Whether the environment names a proxy for http that is itself reached through TLS.
int czero_environment_proxy_is_secure(void);
/// Lets a closed connection leave a running name resolution behind instead of waiting for it.
void czero_set_quick_exit(CURL *easy);

void czero_multi_watch(CURLM *multi, curl_socket_callback onSocket, curl_multi_timer_callback onTimer,
                       void *context);

/// Whether the one transfer of `multi` has ended, and how.
int czero_multi_result(CURLM *multi, CURLcode *result);

// MARK: - Readiness

enum { CZERO_READABLE = 1, CZERO_WRITABLE = 2, CZERO_FAILED = 4 };

struct czero_ready {
  uint64_t token;
  int events;
};

/// Makes a poller. Returns it, or a negated error number.
int czero_poller_open(void);
/// Watches `fd` for `events`, which replace those watched before; 0 forgets it.
int czero_poller_set(int poller, int fd, int events, uint64_t token);
/// Waits for at most `timeout` milliseconds, or for ever if that is negative. Returns how many of
/// `ready` were filled.
int czero_poller_wait(int poller, struct czero_ready *ready, int capacity, int timeout);
void czero_close(int fd);

/// A pipe that does not block.
int czero_pipe(int *reader, int *writer);
void czero_pipe_signal(int writer);
void czero_pipe_drain(int reader);

// MARK: - Sockets

/// Sends without blocking or raising signals. Returns the count, or a negated error number.
long czero_send(int fd, const void *bytes, size_t count);
/// Receives without blocking. Returns the count, 0 at the end, or a negated error number.
long czero_receive(int fd, void *bytes, size_t count);
/// Another descriptor of the same socket, or -1.
int czero_duplicate(int fd);
void czero_shutdown_write(int fd);
int czero_would_block(long result);
/// Copies the text of a negated error number.
void czero_error_text(long result, char *buffer, size_t capacity);
int czero_is_refusal(long number);
int czero_is_unreachable(long number);

// MARK: - Threads

/// Runs `body` on a detached thread that receives no signals.
int czero_thread_start(void (*body)(void *), void *context);

#endif
