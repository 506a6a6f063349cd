/// This process and its parent.
#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H

/// From now on this process is sent SIGTERM when the thread that started it ends, be it by SIGKILL.
void linux_end_with_parent(void);

#endif
