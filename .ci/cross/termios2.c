// Lets qemu 7.2 open serial ports: it knows TCGETS and TCSETS, whose speeds are those of a table, but not the newer calls
// with any speed. Loaded before the C library, under qemu alone.
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>

extern long syscall(long number, ...);

static const struct {
  unsigned int speed, code;
} table[] = {{4800, B4800},     {9600, B9600},     {19200, B19200},   {38400, B38400},  {57600, B57600},
             {115200, B115200}, {230400, B230400}, {460800, B460800}, {921600, B921600}};
static const unsigned int count = sizeof table / sizeof *table;
static unsigned int speeds[1024];  // by descriptor, for those that the table lacks

// Programs that the command starts are not of its architecture.
__attribute__((constructor)) static void leave(void) { unsetenv("LD_PRELOAD"); }

static long get(int descriptor, struct termios2 *settings) {
  if (syscall(SYS_ioctl, descriptor, TCGETS, settings) < 0) return -1;
  settings->c_ospeed = speeds[descriptor & 1023];
  for (unsigned int row = 0; row < count; row++) {
    if ((settings->c_cflag & CBAUD) == table[row].code) settings->c_ospeed = table[row].speed;
  }
  settings->c_ispeed = settings->c_ospeed;
  return 0;
}

static long set(int descriptor, const struct termios2 *settings) {
  struct termios old = *(const struct termios *)settings;  // its beginning is the same
  old.c_cflag = (old.c_cflag & ~(tcflag_t)(CBAUD | (CBAUD << IBSHIFT))) | B50;
  for (unsigned int row = 0; row < count; row++) {
    if (settings->c_ospeed == table[row].speed) old.c_cflag = (old.c_cflag & ~(tcflag_t)CBAUD) | table[row].code;
  }
  speeds[descriptor & 1023] = settings->c_ospeed;
  return syscall(SYS_ioctl, descriptor, TCSETS, &old);
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list values;
  va_start(values, request);
  void *value = va_arg(values, void *);
  va_end(values);
  if (request == TCGETS2) return (int)get(descriptor, value);
  if (request == TCSETS2) return (int)set(descriptor, value);
  return (int)syscall(SYS_ioctl, descriptor, request, value);
}
