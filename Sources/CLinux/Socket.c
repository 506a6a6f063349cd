#define _GNU_SOURCE
#include "CLinuxSocket.h"

#include <stddef.h>
#include <sys/socket.h>

int linux_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
