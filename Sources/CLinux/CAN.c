#include "CLinuxCAN.h"

#include <errno.h>
#include <linux/can.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

int linux_open_can(const char *interface) {
  struct ifreq request = {0};
  if (strlen(interface) >= sizeof request.ifr_name) {
    errno = ENODEV;
    return -1;
  }
  strcpy(request.ifr_name, interface);
  int number = socket(PF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW);
  if (number < 0) return -1;
  struct sockaddr_can address = {.can_family = AF_CAN};
  if (ioctl(number, SIOCGIFINDEX, &request) == 0) {
    address.can_ifindex = request.ifr_ifindex;
    if (bind(number, (struct sockaddr *)&address, sizeof address) == 0) return number;
  }
  int reason = errno;
  close(number);
  errno = reason;
  return -1;
}

int linux_send_can(int number, uint32_t identifier, uint64_t bits, int count) {
  struct can_frame frame = {.can_id = (identifier & CAN_EFF_MASK) | CAN_EFF_FLAG};
  if (count < 0 || count > CAN_MAX_DLEN) {
    errno = EINVAL;
    return -1;
  }
  frame.can_dlc = (unsigned char)count;
  for (int index = 0; index < count; index++) frame.data[index] = (unsigned char)(bits >> 8 * index);
  return write(number, &frame, sizeof frame) == sizeof frame ? 0 : -1;
}

int linux_receive_can(int number, uint32_t *identifier, uint64_t *bits) {
  struct can_frame frame;
  if (read(number, &frame, sizeof frame) != sizeof frame) return -1;
  if (!(frame.can_id & CAN_EFF_FLAG) || frame.can_id & (CAN_RTR_FLAG | CAN_ERR_FLAG) || frame.can_dlc > CAN_MAX_DLEN)
    return 9;
  *identifier = frame.can_id & CAN_EFF_MASK;
  *bits = 0;
  for (int index = 0; index < frame.can_dlc; index++) *bits |= (uint64_t)frame.data[index] << 8 * index;
  return frame.can_dlc;
}
