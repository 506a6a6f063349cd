/// Files, as statx tells of them.
#ifndef CLINUX_FILES_H
#define CLINUX_FILES_H

#include <stdint.h>

/// When the file of an open descriptor was made, in nanoseconds since 1970; 0 where the file system does not say. A number
/// of a file that is gone is given to another one, and this tells the two apart.
int64_t linux_birth_of_descriptor(int descriptor);

/// The same of the file that a path leads to; 0 where there is none.
int64_t linux_birth_of_path(const char *path);

#endif
