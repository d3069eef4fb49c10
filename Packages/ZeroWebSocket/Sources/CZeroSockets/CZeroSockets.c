#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CZeroSockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/epoll.h>

int czero_poller_open(void) {
  int poller = epoll_create1(EPOLL_CLOEXEC);
  return poller < 0 ? -errno : poller;
}

int czero_poller_set(int poller, int fd, int events, uint64_t token) {
  struct epoll_event event = {0};
  event.data.u64 = token;
  if (events & CZERO_READABLE) event.events |= EPOLLIN | EPOLLRDHUP;
  if (events & CZERO_WRITABLE) event.events |= EPOLLOUT;
  if (events == 0) return epoll_ctl(poller, EPOLL_CTL_DEL, fd, &event) < 0 ? -errno : 0;
  if (epoll_ctl(poller, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
  if (errno == ENOENT && epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) == 0) return 0;
  return -errno;
}

int czero_poller_wait(int poller, struct czero_ready *ready, int capacity, int timeout) {
  struct epoll_event events[64];
  int count = epoll_wait(poller, events, capacity < 64 ? capacity : 64, timeout);
  if (count < 0) return errno == EINTR ? 0 : -errno;
  for (int i = 0; i < count; i++) {
    ready[i].token = events[i].data.u64;
    ready[i].events = 0;
    if (events[i].events & (EPOLLIN | EPOLLRDHUP)) ready[i].events |= CZERO_READABLE;
    if (events[i].events & EPOLLOUT) ready[i].events |= CZERO_WRITABLE;
    if (events[i].events & (EPOLLERR | EPOLLHUP)) ready[i].events |= CZERO_FAILED;
  }
  return count;
}
#else
#include <sys/event.h>

int czero_poller_open(void) {
  int poller = kqueue();
  return poller < 0 ? -errno : poller;
}

int czero_poller_set(int poller, int fd, int events, uint64_t token) {
  struct kevent changes[2];
  void *data = (void *)(uintptr_t)token;
  EV_SET(&changes[0], fd, EVFILT_READ, events & CZERO_READABLE ? EV_ADD : EV_DELETE, 0, 0, data);
  EV_SET(&changes[1], fd, EVFILT_WRITE, events & CZERO_WRITABLE ? EV_ADD : EV_DELETE, 0, 0, data);
  for (int i = 0; i < 2; i++) {
    if (kevent(poller, &changes[i], 1, NULL, 0, NULL) < 0 && errno != ENOENT) return -errno;
  }
  return 0;
}

int czero_poller_wait(int poller, struct czero_ready *ready, int capacity, int timeout) {
  struct kevent events[64];
  struct timespec limit = {timeout / 1000, (long)(timeout % 1000) * 1000000};
  int count = kevent(poller, NULL, 0, events, capacity < 64 ? capacity : 64,
                     timeout < 0 ? NULL : &limit);
  if (count < 0) return errno == EINTR ? 0 : -errno;
  for (int i = 0; i < count; i++) {
    ready[i].token = (uint64_t)(uintptr_t)events[i].udata;
    ready[i].events = events[i].filter == EVFILT_READ ? CZERO_READABLE : CZERO_WRITABLE;
    if (events[i].flags & EV_ERROR) ready[i].events |= CZERO_FAILED;
  }
  return count;
}
#endif

void czero_close(int fd) { close(fd); }

int czero_pipe(int *reader, int *writer) {
  int ends[2];
#ifdef __linux__
  // With the flags from the start no program can be started in between and inherit them.
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return -errno;
#else
  if (pipe(ends) < 0) return -errno;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
#endif
  *reader = ends[0];
  *writer = ends[1];
  return 0;
}

void czero_pipe_signal(int writer) {
  char byte = 0;
  ssize_t ignored = write(writer, &byte, 1);
  (void)ignored;
}

void czero_pipe_drain(int reader) {
  char bytes[64];
  while (read(reader, bytes, sizeof bytes) == sizeof bytes) {
  }
}

#ifdef MSG_NOSIGNAL
#define SEND_FLAGS (MSG_NOSIGNAL | MSG_DONTWAIT)
#else
#define SEND_FLAGS MSG_DONTWAIT
#endif

long czero_send(int fd, const void *bytes, size_t count) {
  ssize_t sent;
  do sent = send(fd, bytes, count, SEND_FLAGS);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

long czero_receive(int fd, void *bytes, size_t count) {
  ssize_t received;
  do received = recv(fd, bytes, count, MSG_DONTWAIT);
  while (received < 0 && errno == EINTR);
  return received < 0 ? -errno : received;
}

int czero_duplicate(int fd) {
  int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
#ifdef SO_NOSIGPIPE
  int on = 1;
  if (copy >= 0) setsockopt(copy, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  return copy;
}

void czero_shutdown_write(int fd) { shutdown(fd, SHUT_WR); }

int czero_would_block(long result) { return result == -EAGAIN || result == -EWOULDBLOCK; }

void czero_error_text(long result, char *buffer, size_t capacity) {
#ifdef __linux__
  const char *text = strerror_r((int)-result, buffer, capacity);
  if (text != buffer) {
    strncpy(buffer, text, capacity - 1);
    buffer[capacity - 1] = 0;
  }
#else
  strerror_r((int)-result, buffer, capacity);
#endif
}

int czero_is_refusal(long number) { return number == ECONNREFUSED; }

int czero_is_unreachable(long number) {
  return number == ENETUNREACH || number == EHOSTUNREACH || number == ENETDOWN ||
         number == EHOSTDOWN || number == EADDRNOTAVAIL;
}

int czero_is_out_of_descriptors(long number) { return number == EMFILE || number == ENFILE; }

int czero_listen(uint16_t *port, int isPublic) {
#ifdef __linux__
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -errno;
#else
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) return -errno;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(fd, F_SETFL, O_NONBLOCK);
#endif
  int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  struct sockaddr_in address = {0};
  address.sin_family = AF_INET;
  address.sin_port = htons(*port);
  address.sin_addr.s_addr = htonl(isPublic ? INADDR_ANY : INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (bind(fd, (struct sockaddr *)&address, length) < 0 || listen(fd, 1024) < 0 ||
      getsockname(fd, (struct sockaddr *)&address, &length) < 0) {
    int number = errno;
    close(fd);
    return -number;
  }
  *port = ntohs(address.sin_port);
  return fd;
}

int czero_accept(int listener) {
#ifdef __linux__
  int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return -errno;
#else
  int fd = accept(listener, NULL, NULL);
  if (fd < 0) return -errno;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(fd, F_SETFL, O_NONBLOCK);
#endif
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#ifdef SO_NOSIGPIPE
  setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  return fd;
}

void czero_reset_on_close(int fd) {
  struct linger reset = {1, 0};
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
}

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

int czero_thread_start(void (*body)(void *), void *context) {
  struct start *start = malloc(sizeof *start);
  if (!start) return -ENOMEM;
  start->body = body;
  start->context = context;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // A thread inherits the mask of the one that starts it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int status = pthread_create(&thread, &attributes, run, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (status != 0) free(start);
  return -status;
}
