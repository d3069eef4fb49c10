#include "CZeroCurl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>

CURLcode czero_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode czero_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode czero_set_error_buffer(CURL *easy, char *buffer) {
  return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

int czero_active_socket(CURL *easy) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket);
  return socket;
}

long czero_os_errno(CURL *easy) {
  long number = 0;
  curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &number);
  return number;
}

long czero_proxy_status(CURL *easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &status);
  return status;
}

void czero_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)purpose;
#ifdef SOCK_CLOEXEC
  int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
  int fd = socket(address->family, address->socktype, address->protocol);
  if (fd >= 0) fcntl(fd, F_SETFD, FD_CLOEXEC);
#endif
  if (fd < 0) *(int *)context = errno;
  return fd;
}

void czero_open_sockets(CURL *easy, int *failure) {
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, failure);
}

void czero_multi_watch(CURLM *multi, curl_socket_callback onSocket, curl_multi_timer_callback onTimer,
                       void *context) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, onSocket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, onTimer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

int czero_multi_result(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return 1;
    }
  }
  return 0;
}

int czero_environment_proxy_is_secure(void) {
  static const char *const names[] = {"http_proxy", "all_proxy", "ALL_PROXY"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value && strncasecmp(value, "https:", 6) == 0) return 1;
  }
  return 0;
}
