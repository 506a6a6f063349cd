#define _GNU_SOURCE
#include "CLinuxFiles.h"

#include <fcntl.h>
#include <sys/stat.h>

static int64_t birth(int descriptor, const char *path, int flags) {
  struct statx facts;
  if (statx(descriptor, path, flags, STATX_BTIME, &facts) != 0 || !(facts.stx_mask & STATX_BTIME)) return 0;
  return (int64_t)facts.stx_btime.tv_sec * 1000000000 + facts.stx_btime.tv_nsec;
}

int64_t linux_birth_of_descriptor(int descriptor) { return birth(descriptor, "", AT_EMPTY_PATH); }

int64_t linux_birth_of_path(const char *path) { return birth(AT_FDCWD, path, 0); }
