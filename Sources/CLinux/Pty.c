#define _GNU_SOURCE
#include "CLinuxPty.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int linux_pty_open(char *path, size_t capacity) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (master < 0) return -1;
  int failure = 0;
  if (grantpt(master) != 0 || unlockpt(master) != 0) failure = errno;
  else failure = ptsname_r(master, path, capacity);
  if (failure == 0) return master;
  close(master);
  errno = failure;
  return -1;
}
