#include "CLinuxProcess.h"

#include <signal.h>
#include <sys/prctl.h>

void linux_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGTERM); }
