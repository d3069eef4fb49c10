// Blocking sockets for peers that tests script, with TLS where OpenSSL is there.
#ifndef CZEROPEER_H
#define CZEROPEER_H

#include <stddef.h>
#include <stdint.h>

typedef struct czero_peer czero_peer;
typedef struct czero_peer_tls czero_peer_tls;

/// Takes a free port of 127.0.0.1 without listening on it, so that connecting to it is refused until
/// the descriptor is closed. Returns the descriptor or -1.
int czero_peer_reserve(uint16_t *port);
/// Listens on a free port of 127.0.0.1. Returns the descriptor or -1.
int czero_peer_listen(uint16_t *port);
/// Makes a blocked accept return.
void czero_peer_stop_listening(int listener);
void czero_peer_close_listener(int listener);

/// Waits for a connection, also while the process has no descriptor for one. Returns NULL when the
/// listener was stopped.
czero_peer *czero_peer_accept(int listener);
/// Negotiates TLS as a server. Returns 0 or -1.
int czero_peer_start_tls(czero_peer *peer, czero_peer_tls *tls);

/// Waits for bytes, for at most twenty minutes. Returns the count, 0 at the end, -1 on errors.
long czero_peer_read(czero_peer *peer, void *bytes, size_t count);
/// Returns 0, or -1 when the connection is gone.
int czero_peer_write(czero_peer *peer, const void *bytes, size_t count);
/// Makes the receive buffer small, so that a sender is stopped soon. Before the connection is made.
void czero_peer_limit_buffer(int listener, int bytes);
void czero_peer_end_sending(czero_peer *peer);
/// Makes a blocked read return. May be called from any thread.
void czero_peer_interrupt(czero_peer *peer);
/// Ends the connection with RST at the next `czero_peer_free`.
void czero_peer_will_reset(czero_peer *peer);
void czero_peer_free(czero_peer *peer);

/// Loads a server certificate and key in PEM. With `clientAuthorities`, clients must show a
/// certificate signed by one of them. Returns NULL on failure.
czero_peer_tls *czero_peer_tls_load(const char *certificate, const char *key,
                                    const char *clientAuthorities);
void czero_peer_tls_free(czero_peer_tls *tls);

int czero_peer_thread(void (*body)(void *), void *context);

#endif
