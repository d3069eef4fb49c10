#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CZeroFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#endif

static int identity_with_times(const char *path, uint64_t *device, uint64_t *inode) {
  struct stat info;
  if (stat(path, &info) != 0) return errno;
  *device = (uint64_t)info.st_dev;
  *inode = (uint64_t)info.st_ino;
  return 0;
}

int czero_file_identity(const char *path, uint64_t *device, uint64_t *inode) {
#if defined(__linux__) && defined(STATX_INO)
  struct statx info;
  if (statx(AT_FDCWD, path, 0, STATX_INO, &info) == 0) {
    *device = (uint64_t)makedev(info.stx_dev_major, info.stx_dev_minor);
    *inode = info.stx_ino;
    return 0;
  }
  // Kernels before 4.11 do not have the call, and some sandboxes refuse it.
  if (errno != ENOSYS && errno != EPERM) return errno;
#endif
  return identity_with_times(path, device, inode);
}
