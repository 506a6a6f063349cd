/// Memory of this process.
#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

/// Unmaps the pages of code and constants of the program and its libraries, which come back when they are next used.
void linux_forget_code(void);

#endif
