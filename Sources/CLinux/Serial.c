#include "CLinuxSerial.h"

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <linux/serial.h>
#include <string.h>

// <sys/ioctl.h> and <asm/termbits.h> disagree about struct winsize and termios; only the function is needed.
extern int ioctl(int descriptor, unsigned long request, ...);

static const int dtr_and_rts = 0x002 | 0x004;  // TIOCM_DTR, TIOCM_RTS

static void set_speed(struct termios2 *settings, unsigned int baud_rate) {
  settings->c_cflag &= ~(tcflag_t)(CBAUD | (CBAUD << IBSHIFT));
  settings->c_cflag |= BOTHER | (BOTHER << IBSHIFT);
  settings->c_ispeed = baud_rate;
  settings->c_ospeed = baud_rate;
}

int linux_serial_make_raw(int descriptor, unsigned int baud_rate, int hang_up_on_close) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) < 0) return -1;
  settings.c_iflag = IGNBRK;
  settings.c_oflag = 0;
  settings.c_lflag = 0;
  settings.c_cflag &= ~(tcflag_t)(CSIZE | PARENB | PARODD | CSTOPB | CRTSCTS | HUPCL);
  settings.c_cflag |= CS8 | CREAD | CLOCAL | (hang_up_on_close ? HUPCL : 0);
  settings.c_cc[VMIN] = 1;  // with O_NONBLOCK: EAGAIN means "nothing yet", 0 means hung up
  settings.c_cc[VTIME] = 0;
  set_speed(&settings, baud_rate);
  return ioctl(descriptor, TCSETS2, &settings);
}

int linux_serial_set_baud_rate(int descriptor, unsigned int baud_rate) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) < 0) return -1;
  set_speed(&settings, baud_rate);
  return ioctl(descriptor, TCSETS2, &settings);
}

int linux_serial_baud_rate(int descriptor, unsigned int *baud_rate) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) < 0) return -1;
  *baud_rate = settings.c_ospeed;
  return 0;
}

int linux_serial_set_low_latency(int descriptor, int on) {
  struct serial_struct settings;
  memset(&settings, 0, sizeof settings);
  if (ioctl(descriptor, TIOCGSERIAL, &settings) < 0) return -1;
  if (on) settings.flags |= ASYNC_LOW_LATENCY;
  else settings.flags &= ~ASYNC_LOW_LATENCY;
  return ioctl(descriptor, TIOCSSERIAL, &settings);
}

int linux_serial_is_exclusive(int descriptor) {
  int exclusive = 0;
  if (ioctl(descriptor, TIOCGEXCL, &exclusive) < 0) return -1;
  return exclusive != 0;
}

int linux_serial_set_exclusive(int descriptor, int on) {
  return ioctl(descriptor, on ? TIOCEXCL : TIOCNXCL);
}

int linux_serial_set_modem_lines(int descriptor, int on) {
  return ioctl(descriptor, on ? TIOCMBIS : TIOCMBIC, &dtr_and_rts);
}
