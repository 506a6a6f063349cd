#define _GNU_SOURCE
#include "CLinuxTerminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static struct {
  int input, output;
  struct termios settings;
  char bytes[64];
  int count;
} guarded;
static atomic_int is_guarded;

int linux_terminal_restore(void) {
  if (!atomic_exchange(&is_guarded, 0)) return 0;
  tcsetattr(guarded.input, TCSANOW, &guarded.settings);
  struct pollfd ready = {.fd = guarded.output, .events = POLLOUT};
  if (poll(&ready, 1, 200) == 1 && write(guarded.output, guarded.bytes, guarded.count) < 0) return 1;
  return 1;
}

/// Every other signal is held back meanwhile: SIGTTOU too, so that a program in the background is not stopped here.
static void end(int number) {
  int error = errno;
  linux_terminal_restore();
  signal(number, SIG_DFL);
  errno = error;
  raise(number);  // arrives when this returns
}

/// Whether a signal ends a program that does not handle it: signal(7).
static int is_fatal(int number) {
  switch (number) {
    case SIGKILL: case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: case SIGCHLD: case SIGCONT: case SIGURG:
    case SIGWINCH: return 0;
    default: return 1;
  }
}

/// Whether the processor or the program itself raises it: a runtime may handle it to report a crash.
static int is_crash(int number) {
  switch (number) {
    case SIGSEGV: case SIGBUS: case SIGFPE: case SIGILL: case SIGABRT: case SIGTRAP: case SIGSYS: return 1;
    default: return 0;
  }
}

static void watch(void) {
  static char room[65536];  // a stack that has run out has no room for a handler
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE)) {
    stack = (stack_t){.ss_sp = room, .ss_size = sizeof room};
    sigaltstack(&stack, NULL);
  }
  struct sigaction ours = {.sa_handler = end, .sa_flags = SA_ONSTACK};
  sigfillset(&ours.sa_mask);
  for (int number = 1; number < 65; number++) {
    struct sigaction found;
    if (!is_fatal(number) || sigaction(number, NULL, &found) != 0) continue;
    int is_plain = !(found.sa_flags & SA_SIGINFO);
    if (is_plain && (found.sa_handler == SIG_IGN || found.sa_handler == end)) continue;
    if (!(is_plain && found.sa_handler == SIG_DFL) && !is_crash(number)) continue;
    sigaction(number, &ours, NULL);
  }
}

void linux_terminal_guard(int input, int output, const struct termios *settings, const void *bytes, int count) {
  guarded.input = input;
  guarded.output = output;
  guarded.settings = *settings;
  guarded.count = count < (int)sizeof guarded.bytes ? count : (int)sizeof guarded.bytes;
  memcpy(guarded.bytes, bytes, guarded.count);
  watch();
  atomic_store(&is_guarded, 1);
}
