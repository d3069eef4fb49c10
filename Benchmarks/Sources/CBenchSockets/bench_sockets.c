#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "bench_sockets.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct link {
  int fd;
  SSL *ssl;
  size_t head, tail;
  uint8_t buffer[65536];
};

struct server {
  int listener;
  SSL_CTX *tls;
  void (*serve)(struct link *);
};

struct visit {
  struct server *server;
  int fd;
};

static int listen_on_loopback(uint16_t *port) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {0};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) < 0 || listen(fd, 1024) < 0 ||
      getsockname(fd, (struct sockaddr *)&address, &length) < 0)
    return -1;
  *port = ntohs(address.sin_port);
  return fd;
}

static int read_some(struct link *link, void *bytes, size_t count) {
  return link->ssl ? SSL_read(link->ssl, bytes, (int)count) : (int)recv(link->fd, bytes, count, 0);
}

static int write_all(struct link *link, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t n = link->ssl ? SSL_write(link->ssl, bytes, (int)count)
                          : send(link->fd, bytes, count, MSG_NOSIGNAL);
    if (n <= 0) return -1;
    bytes += n;
    count -= (size_t)n;
  }
  return 0;
}

static int read_exactly(struct link *link, uint8_t *bytes, size_t count) {
  while (count > 0) {
    if (link->head == link->tail) {
      int n = count >= sizeof link->buffer ? read_some(link, bytes, count)
                                           : read_some(link, link->buffer, sizeof link->buffer);
      if (n <= 0) return -1;
      if (count >= sizeof link->buffer) {
        bytes += n;
        count -= (size_t)n;
        continue;
      }
      link->head = 0;
      link->tail = (size_t)n;
    }
    size_t n = link->tail - link->head < count ? link->tail - link->head : count;
    memcpy(bytes, link->buffer + link->head, n);
    link->head += n;
    bytes += n;
    count -= n;
  }
  return 0;
}

static void *visit(void *argument) {
  struct visit visit = *(struct visit *)argument;
  free(argument);
  int on = 1;
  setsockopt(visit.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct link *link = calloc(1, sizeof *link);
  link->fd = visit.fd;
  int good = 1;
  if (visit.server->tls) {
    link->ssl = SSL_new(visit.server->tls);
    SSL_set_fd(link->ssl, visit.fd);
    good = SSL_accept(link->ssl) == 1;
  }
  if (good) visit.server->serve(link);
  if (link->ssl) SSL_free(link->ssl);
  if (link->fd >= 0) close(link->fd);
  free(link);
  return NULL;
}

static void *accept_visits(void *argument) {
  struct server *server = argument;
  for (;;) {
    int fd = accept(server->listener, NULL, NULL);
    if (fd < 0) continue;
    struct visit *next = malloc(sizeof *next);
    next->server = server;
    next->fd = fd;
    pthread_t thread;
    if (pthread_create(&thread, NULL, visit, next) == 0)
      pthread_detach(thread);
    else
      close(fd);
  }
  return NULL;
}

static uint16_t start(void (*serve)(struct link *), SSL_CTX *tls) {
  uint16_t port = 0;
  struct server *server = calloc(1, sizeof *server);
  server->listener = listen_on_loopback(&port);
  server->tls = tls;
  server->serve = serve;
  pthread_t thread;
  if (server->listener < 0 || pthread_create(&thread, NULL, accept_visits, server) != 0) return 0;
  pthread_detach(thread);
  return port;
}

static int write_frame(struct link *link, int opcode, const uint8_t *payload, size_t count,
                       uint8_t *scratch) {
  size_t head = 2;
  scratch[0] = 0x80 | (uint8_t)opcode;
  if (count < 126) {
    scratch[1] = (uint8_t)count;
  } else if (count <= 0xFFFF) {
    scratch[1] = 126;
    scratch[2] = (uint8_t)(count >> 8);
    scratch[3] = (uint8_t)count;
    head = 4;
  } else {
    scratch[1] = 127;
    for (int i = 0; i < 8; i++) scratch[2 + i] = (uint8_t)((uint64_t)count >> (56 - 8 * i));
    head = 10;
  }
  if (payload != scratch + head) memmove(scratch + head, payload, count);
  return write_all(link, scratch, head + count);
}

/// Reads a client's frame into `payload`. Returns its opcode or -1.
static int read_frame(struct link *link, uint8_t *payload, size_t *count) {
  uint8_t head[8];
  if (read_exactly(link, head, 2) < 0) return -1;
  int opcode = head[0] & 15;
  uint64_t length = head[1] & 127;
  if (length >= 126) {
    int bytes = length == 126 ? 2 : 8;
    if (read_exactly(link, head, (size_t)bytes) < 0) return -1;
    length = 0;
    for (int i = 0; i < bytes; i++) length = length << 8 | head[i];
  }
  uint8_t mask[4];
  if (read_exactly(link, mask, 4) < 0 || read_exactly(link, payload, length) < 0) return -1;
  uint32_t key;
  memcpy(&key, mask, 4);
  bench_mask(payload, length, key);
  *count = length;
  return opcode;
}

static void push(struct link *link, size_t size, size_t count) {
  size_t frame = size + 10;
  size_t batch = frame < 65536 ? 65536 / frame : 1;
  uint8_t *bytes = malloc(frame * batch + 16), *payload = malloc(size);
  memset(payload, 'x', size);
  while (count > 0) {
    // As many frames in one write as a busy server's kernel buffer would take.
    size_t n = count < batch ? count : batch, used = 0;
    for (size_t i = 0; i < n; i++) {
      uint8_t *at = bytes + used;
      size_t head = size < 126 ? 2 : size <= 0xFFFF ? 4 : 10;
      at[0] = 0x81;
      at[1] = (uint8_t)(size < 126 ? size : size <= 0xFFFF ? 126 : 127);
      for (size_t k = 2; k < head; k++) at[k] = (uint8_t)((uint64_t)size >> (8 * (head - 1 - k)));
      memcpy(at + head, payload, size);
      used += head + size;
    }
    if (write_all(link, bytes, used) < 0) break;
    count -= n;
  }
  free(bytes);
  free(payload);
}

static void serve_web_socket(struct link *link) {
  char head[16384];
  size_t used = 0;
  while (used < 4 || memcmp(head + used - 4, "\r\n\r\n", 4) != 0) {
    if (used + 1 >= sizeof head || read_exactly(link, (uint8_t *)head + used, 1) < 0) return;
    used++;
  }
  head[used] = 0;
  if (strncmp(head, "GET /download?", 14) == 0) {
    long length = atol(head + 14);
    char answer[128];
    int n = snprintf(answer, sizeof answer, "HTTP/1.1 200 OK\r\nContent-Length: %ld\r\n\r\n", length);
    if (write_all(link, (uint8_t *)answer, (size_t)n) < 0) return;
    size_t size = 1 << 20;
    uint8_t *bytes = malloc(size);
    memset(bytes, 'x', size);
    for (; length > 0; length -= (long)size) {
      size_t part = length < (long)size ? (size_t)length : size;
      if (write_all(link, bytes, part) < 0) break;
    }
    free(bytes);
    return;
  }
  char *key = strcasestr(head, "sec-websocket-key:");
  if (!key) return;
  key += 18;
  while (*key == ' ') key++;
  char joined[128];
  snprintf(joined, sizeof joined, "%.24s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
  unsigned char digest[20], encoded[64];
  SHA1((unsigned char *)joined, strlen(joined), digest);
  EVP_EncodeBlock(encoded, digest, 20);
  char answer[256];
  int n = snprintf(answer, sizeof answer,
                   "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                   "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                   encoded);
  if (write_all(link, (uint8_t *)answer, (size_t)n) < 0) return;
  if (strncmp(head, "GET /idle", 9) == 0) {
    link->fd = -1;  // Left open until the process ends.
    return;
  }
  int pushes = strncmp(head, "GET /push", 9) == 0;
  size_t capacity = 16 << 20, count;
  uint8_t *payload = malloc(capacity + 16), *scratch = malloc(capacity + 16);
  int opcode;
  while ((opcode = read_frame(link, payload, &count)) > 0) {
    if (opcode == 8) {
      write_frame(link, 8, payload, count, scratch);
      break;
    }
    if (opcode == 9) {
      write_frame(link, 10, payload, count, scratch);
    } else if (pushes) {
      unsigned long size = 0, times = 0;
      payload[count] = 0;
      sscanf((char *)payload, "%lu %lu", &size, &times);
      push(link, size, times);
    } else if (write_frame(link, opcode, payload, count, scratch) < 0) {
      break;
    }
  }
  free(payload);
  free(scratch);
}

static void serve_raw_echo(struct link *link) {
  int n;
  while ((n = read_some(link, link->buffer, sizeof link->buffer)) > 0)
    if (write_all(link, link->buffer, (size_t)n) < 0) return;
}

uint16_t bench_start_server(const char *certificate, const char *key) {
  signal(SIGPIPE, SIG_IGN);
  SSL_CTX *tls = NULL;
  if (certificate) {
    tls = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_use_certificate_chain_file(tls, certificate) != 1 ||
        SSL_CTX_use_PrivateKey_file(tls, key, SSL_FILETYPE_PEM) != 1)
      return 0;
  }
  return start(serve_web_socket, tls);
}

uint16_t bench_start_raw_echo(void) { return start(serve_raw_echo, NULL); }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

int bench_raw_echo(uint16_t port, size_t size, size_t count, double *microseconds) {
  int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in address = {0};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) return -1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  uint8_t *bytes = calloc(1, size);
  int status = 0;
  for (size_t i = 0; i < count && status == 0; i++) {
    double start = now();
    if (send(fd, bytes, size, MSG_NOSIGNAL) != (ssize_t)size) status = -1;
    for (size_t got = 0; got < size && status == 0;) {
      ssize_t n = recv(fd, bytes + got, size - got, 0);
      if (n <= 0) status = -1;
      got += (size_t)n;
    }
    microseconds[i] = now() - start;
  }
  free(bytes);
  close(fd);
  return status;
}

static size_t count_bytes(char *bytes, size_t size, size_t count, void *total) {
  *(long *)total += (long)(size * count);
  return size * count;
}

long bench_download(const char *url, const char *authorities) {
  CURL *easy = curl_easy_init();
  long total = 0;
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_CAINFO, authorities);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, count_bytes);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &total);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 512L << 10);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  CURLcode result = curl_easy_perform(easy);
  curl_easy_cleanup(easy);
  return result == CURLE_OK ? total : -1;
}

void bench_mask(uint8_t *bytes, size_t count, uint32_t key) {
  uint64_t word = (uint64_t)key << 32 | key;
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t value;
    memcpy(&value, bytes + i, 8);
    value ^= word;
    memcpy(bytes + i, &value, 8);
  }
  for (; i < count; i++) bytes[i] ^= (uint8_t)(key >> (8 * (i & 3)));
}

void bench_raise_descriptor_limit(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

double bench_cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static long status_bytes(const char *name) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  long kilobytes = 0;
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, name, strlen(name)) == 0) kilobytes = atol(line + strlen(name));
  if (file) fclose(file);
  return kilobytes * 1024;
}

long bench_resident_bytes(void) {
  malloc_trim(0);
  return status_bytes("VmRSS:");
}
long bench_heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
}

long bench_peak_bytes(void) { return status_bytes("VmHWM:"); }

void bench_reset_peak(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (file) {
    fputs("5", file);
    fclose(file);
  }
}
