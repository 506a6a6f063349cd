/// Serial line settings that need the kernel's termios2, whose header cannot stand beside the C library's termios.h.
#ifndef CLINUX_SERIAL_H
#define CLINUX_SERIAL_H

/// Raw, 8 data bits, no parity, one stop bit, no flow control, modem lines ignored, any baud rate (BOTHER).
/// `hang_up_on_close` is HUPCL: whether the last close drops DTR. Returns 0, or −1 with errno.
int linux_serial_make_raw(int descriptor, unsigned int baud_rate, int hang_up_on_close);

/// Changes the baud rate and nothing else. Returns 0, or −1 with errno.
int linux_serial_set_baud_rate(int descriptor, unsigned int baud_rate);

/// The output baud rate in force, as the driver says it. Returns 0, or −1 with errno.
int linux_serial_baud_rate(int descriptor, unsigned int *baud_rate);

/// Sets or clears ASYNC_LOW_LATENCY: an FTDI chip then hands its bytes over every millisecond instead of every 16.
/// Returns 0, or −1 with errno (ENOTTY where the driver has no such thing).
int linux_serial_set_low_latency(int descriptor, int on);

/// Whether somebody holds the terminal exclusively (TIOCEXCL): 1, 0, or −1 with errno.
int linux_serial_is_exclusive(int descriptor);

/// Claims (TIOCEXCL) or gives up (TIOCNXCL) the terminal. Returns 0, or −1 with errno.
int linux_serial_set_exclusive(int descriptor, int on);

/// Raises or drops DTR and RTS together. Returns 0, or −1 with errno (ENOTTY on a pseudo-terminal).
int linux_serial_set_modem_lines(int descriptor, int on);

#endif
