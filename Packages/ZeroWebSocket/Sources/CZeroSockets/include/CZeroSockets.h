// The system calls that a thread for socket I/O needs, in one shape for all platforms: errors come back
// as negated error numbers, nothing blocks but the poller, and nothing raises signals.
#ifndef CZEROSOCKETS_H
#define CZEROSOCKETS_H

#include <stddef.h>
#include <stdint.h>

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
/// Whether the process or the system has no descriptor left.
int czero_is_out_of_descriptors(long number);

/// Listens on `port` of the loopback interface, or of all if `isPublic`; 0 picks a free port, which is
/// stored. Returns the descriptor.
int czero_listen(uint16_t *port, int isPublic);
/// Accepts a connection that does not block and sends at once. Returns its descriptor.
int czero_accept(int listener);
/// Ends the connection with RST when it is closed.
void czero_reset_on_close(int fd);

// MARK: - Threads

/// Runs `body` on a detached thread that receives no signals.
int czero_thread_start(void (*body)(void *), void *context);

#endif
