/// accept(2) with flags, which Swift's Glibc module leaves out.
#ifndef CLINUX_SOCKET_H
#define CLINUX_SOCKET_H

/// Takes the next connection, non-blocking and close-on-exec. Returns its descriptor, or −1 with errno.
int linux_accept(int listener);

#endif
