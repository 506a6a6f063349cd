/// A terminal that is put back whatever ends the program.
#ifndef CLINUX_TERMINAL_H
#define CLINUX_TERMINAL_H

#include <termios.h>

/// Remembers what is to be put back: the settings of `input`, and at most 64 bytes that make `output` usable again. From
/// now on a signal that ends the program does so first, SIGKILL alone excepted; the program still ends by that signal.
/// Signals that somebody else handles stay theirs, those of a crash excepted.
void linux_terminal_guard(
    int input, int output, const struct termios *_Nonnull settings, const void *_Nonnull bytes, int count);

/// Puts back what was remembered and forgets it: 1, or 0 where there was nothing. Safe in a signal's handler.
int linux_terminal_restore(void);

#endif
