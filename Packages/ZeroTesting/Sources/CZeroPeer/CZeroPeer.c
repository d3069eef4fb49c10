#include "CZeroPeer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#if __has_include(<openssl/ssl.h>)
#include <openssl/ssl.h>
#define HAS_TLS 1
#else
#define HAS_TLS 0
typedef void SSL;
#endif

#ifdef MSG_NOSIGNAL
#define SEND_FLAGS MSG_NOSIGNAL
#else
#define SEND_FLAGS 0
#endif

struct czero_peer {
  int fd;
  SSL *ssl;
};

int czero_peer_reserve(uint16_t *port) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) return -1;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  struct sockaddr_in address = {0};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (bind(fd, (struct sockaddr *)&address, length) < 0 ||
      getsockname(fd, (struct sockaddr *)&address, &length) < 0) {
    close(fd);
    return -1;
  }
  *port = ntohs(address.sin_port);
  return fd;
}

int czero_peer_listen(uint16_t *port) {
  int fd = czero_peer_reserve(port);
  if (fd >= 0 && listen(fd, 512) < 0) {
    close(fd);
    return -1;
  }
  return fd;
}

void czero_peer_stop_listening(int listener) { shutdown(listener, SHUT_RDWR); }
void czero_peer_close_listener(int listener) { close(listener); }

// Whether accepting may succeed later, with the same connection or the next.
static int is_passing(int error) {
  if (error == EINTR || error == ECONNABORTED) return 1;
  if (error != EMFILE && error != ENFILE && error != ENOBUFS && error != ENOMEM) return 0;
  // The process is out of descriptors, which also keeps the connection from being waited for.
  poll(NULL, 0, 5);
  return 1;
}

czero_peer *czero_peer_accept(int listener) {
  int fd;
  do fd = accept(listener, NULL, NULL);
  while (fd < 0 && is_passing(errno));
  if (fd < 0) return NULL;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#ifdef SO_NOSIGPIPE
  setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  struct timeval limit = {1200, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  czero_peer *peer = calloc(1, sizeof *peer);
  if (!peer) {
    close(fd);
    return NULL;
  }
  peer->fd = fd;
  return peer;
}

long czero_peer_read(czero_peer *peer, void *bytes, size_t count) {
#if HAS_TLS
  if (peer->ssl) {
    int n = SSL_read(peer->ssl, bytes, count > 1 << 30 ? 1 << 30 : (int)count);
    if (n > 0) return n;
    return SSL_get_error(peer->ssl, n) == SSL_ERROR_ZERO_RETURN ? 0 : -1;
  }
#endif
  ssize_t n;
  do n = recv(peer->fd, bytes, count, 0);
  while (n < 0 && errno == EINTR);
  return n;
}

int czero_peer_write(czero_peer *peer, const void *bytes, size_t count) {
  const char *next = bytes;
  while (count > 0) {
    ssize_t n;
#if HAS_TLS
    if (peer->ssl) {
      n = SSL_write(peer->ssl, next, count > 1 << 20 ? 1 << 20 : (int)count);
    } else
#endif
      n = send(peer->fd, next, count, SEND_FLAGS);
    if (n <= 0) {
      if (n < 0 && errno == EINTR && !peer->ssl) continue;
      return -1;
    }
    next += n;
    count -= (size_t)n;
  }
  return 0;
}

void czero_peer_limit_buffer(int listener, int bytes) {
  setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

void czero_peer_end_sending(czero_peer *peer) { shutdown(peer->fd, SHUT_WR); }
void czero_peer_interrupt(czero_peer *peer) { shutdown(peer->fd, SHUT_RDWR); }

void czero_peer_will_reset(czero_peer *peer) {
  struct linger reset = {1, 0};
  setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
}

void czero_peer_free(czero_peer *peer) {
#if HAS_TLS
  if (peer->ssl) {
    SSL_shutdown(peer->ssl);
    SSL_free(peer->ssl);
  }
#endif
  close(peer->fd);
  free(peer);
}

#if HAS_TLS
static void ignore_pipe(void) { signal(SIGPIPE, SIG_IGN); }

czero_peer_tls *czero_peer_tls_load(const char *certificate, const char *key,
                                    const char *clientAuthorities) {
  // OpenSSL writes with write(2), which raises the signal when the client has hung up.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, ignore_pipe);
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  if (!context) return NULL;
  if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
    SSL_CTX_free(context);
    return NULL;
  }
  if (clientAuthorities) {
    if (SSL_CTX_load_verify_locations(context, clientAuthorities, NULL) != 1) {
      SSL_CTX_free(context);
      return NULL;
    }
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
  }
  return (czero_peer_tls *)context;
}

void czero_peer_tls_free(czero_peer_tls *tls) { SSL_CTX_free((SSL_CTX *)tls); }

int czero_peer_start_tls(czero_peer *peer, czero_peer_tls *tls) {
  SSL *ssl = SSL_new((SSL_CTX *)tls);
  if (!ssl) return -1;
  SSL_set_fd(ssl, peer->fd);
  if (SSL_accept(ssl) != 1) {
    SSL_free(ssl);
    return -1;
  }
  peer->ssl = ssl;
  return 0;
}
#else
czero_peer_tls *czero_peer_tls_load(const char *certificate, const char *key,
                                    const char *clientAuthorities) {
  return NULL;
}
void czero_peer_tls_free(czero_peer_tls *tls) {}
int czero_peer_start_tls(czero_peer *peer, czero_peer_tls *tls) { return -1; }
#endif

struct start {
  void (*body)(void *);
  void *context;
};

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  start.body(start.context);
  return NULL;
}

int czero_peer_thread(void (*body)(void *), void *context) {
  struct start *start = malloc(sizeof *start);
  if (!start) return -1;
  start->body = body;
  start->context = context;
  pthread_t thread;
  int status = pthread_create(&thread, NULL, run, start);
  if (status != 0) {
    free(start);
    return -1;
  }
  pthread_detach(thread);
  return 0;
}
