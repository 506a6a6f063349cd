/// Frames of a CAN bus by SocketCAN, whose structures Swift's Glibc module leaves out.
#ifndef CLINUX_CAN_H
#define CLINUX_CAN_H

#include <stdint.h>

/// Opens an interface such as can0, non-blocking and close-on-exec. Returns its descriptor, or −1 with errno.
int linux_open_can(const char *interface);

/// Sends a frame with an identifier of 29 bits and 0 to 8 bytes, the first one lowest. Returns 0, or −1 with errno.
int linux_send_can(int number, uint32_t identifier, uint64_t bits, int count);

/// Takes the next frame. Returns how many bytes it holds, 9 for one without an identifier of 29 bits, or −1 with errno.
int linux_receive_can(int number, uint32_t *identifier, uint64_t *bits);

#endif
