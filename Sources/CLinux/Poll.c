#define _GNU_SOURCE
#include "CLinuxPoll.h"

#include <time.h>

int linux_poll(struct pollfd *entries, unsigned long count, long long nanoseconds) {
  struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  return ppoll(entries, count, nanoseconds < 0 ? NULL : &time, NULL);
}
