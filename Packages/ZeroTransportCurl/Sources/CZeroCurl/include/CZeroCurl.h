// libcurl's option functions are variadic, which Swift cannot call. They are given fixed shapes here.
#ifndef CZEROCURL_H
#define CZEROCURL_H

#include <curl/curl.h>

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

/// Has sockets closed in the programs that this process starts. The error number of a socket that
/// cannot be made goes to `failure`, which has to outlive the handle.
void czero_open_sockets(CURL *easy, int *failure);

void czero_multi_watch(CURLM *multi, curl_socket_callback onSocket, curl_multi_timer_callback onTimer,
                       void *context);

/// Whether the one transfer of `multi` has ended, and how.
int czero_multi_result(CURLM *multi, CURLcode *result);

#endif
