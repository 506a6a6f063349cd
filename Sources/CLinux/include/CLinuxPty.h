/// Pseudo-terminals (pts(4)), which need feature macros that Swift's Glibc module does not set.
#ifndef CLINUX_PTY_H
#define CLINUX_PTY_H

#include <stddef.h>

/// Opens a new master, non-blocking and close-on-exec, unlocks its slave and writes the slave's path into `path`.
/// Returns the master's descriptor, or −1 with errno.
int linux_pty_open(char *path, size_t capacity);

#endif
