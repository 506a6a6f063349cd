/// poll(2) with nanoseconds.
#ifndef CLINUX_POLL_H
#define CLINUX_POLL_H

#include <poll.h>

/// ppoll(2) without a signal mask; a negative time waits without end. Returns how many are ready, or −1 with errno.
int linux_poll(struct pollfd *entries, unsigned long count, long long nanoseconds);

#endif
