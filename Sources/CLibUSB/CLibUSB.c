// Ours, not the library's: it must not find these functions in place of its own.
#pragma GCC visibility push(hidden)
#include "CLibUSB.h"
#pragma GCC visibility pop

#include <dlfcn.h>
#include <stddef.h>

#define FUNCTIONS(F)                                                                                            \
  F(int, init, (libusb_context **context), (context))                                                           \
  F(void, exit, (libusb_context *context), (context))                                                           \
  F(const char *, strerror, (int code), (code))                                                                 \
  F(ssize_t, get_device_list, (libusb_context *context, libusb_device ***list), (context, list))                \
  F(void, free_device_list, (libusb_device **list, int unref), (list, unref))                                   \
  F(libusb_device *, ref_device, (libusb_device *device), (device))                                             \
  F(void, unref_device, (libusb_device *device), (device))                                                      \
  F(uint8_t, get_bus_number, (libusb_device *device), (device))                                                 \
  F(uint8_t, get_device_address, (libusb_device *device), (device))                                             \
  F(int, get_port_numbers, (libusb_device *device, uint8_t *ports, int count), (device, ports, count))          \
  F(int, get_device_descriptor, (libusb_device *device, struct libusb_device_descriptor *found), (device, found)) \
  F(int, get_active_config_descriptor, (libusb_device *device, struct libusb_config_descriptor **found),        \
    (device, found))                                                                                            \
  F(void, free_config_descriptor, (struct libusb_config_descriptor *descriptor), (descriptor))                  \
  F(int, get_string_descriptor_ascii,                                                                           \
    (libusb_device_handle *handle, uint8_t index, unsigned char *text, int size), (handle, index, text, size))  \
  F(int, open, (libusb_device *device, libusb_device_handle **handle), (device, handle))                        \
  F(void, close, (libusb_device_handle *handle), (handle))                                                      \
  F(int, claim_interface, (libusb_device_handle *handle, int number), (handle, number))                         \
  F(int, release_interface, (libusb_device_handle *handle, int number), (handle, number))                       \
  F(int, set_auto_detach_kernel_driver, (libusb_device_handle *handle, int enable), (handle, enable))           \
  F(int, kernel_driver_active, (libusb_device_handle *handle, int number), (handle, number))                    \
  F(int, detach_kernel_driver, (libusb_device_handle *handle, int number), (handle, number))                    \
  F(int, clear_halt, (libusb_device_handle *handle, unsigned char endpoint), (handle, endpoint))                \
  F(int, control_transfer,                                                                                      \
    (libusb_device_handle *handle, uint8_t type, uint8_t request, uint16_t value, uint16_t index,               \
     unsigned char *data, uint16_t count, unsigned int timeout),                                                \
    (handle, type, request, value, index, data, count, timeout))                                                \
  F(int, bulk_transfer,                                                                                         \
    (libusb_device_handle *handle, unsigned char endpoint, unsigned char *data, int count, int *done,           \
     unsigned int timeout),                                                                                     \
    (handle, endpoint, data, count, done, timeout))                                                             \
  F(int, interrupt_transfer,                                                                                    \
    (libusb_device_handle *handle, unsigned char endpoint, unsigned char *data, int count, int *done,           \
     unsigned int timeout),                                                                                     \
    (handle, endpoint, data, count, done, timeout))

#define FORWARD(result, name, parameters, arguments) \
  static result(*loaded_##name) parameters;          \
  result libusb_##name parameters { return loaded_##name arguments; }

FUNCTIONS(FORWARD)

#define ENTRY(result, name, parameters, arguments) {(void **)&loaded_##name, "libusb_" #name},

static const struct {
  void **function;
  const char *name;
} entries[] = {FUNCTIONS(ENTRY)};

_Bool libusb_load(void) {
  static int state;  // 0: not tried, 1: there, -1: missing
  if (state == 0) {
    void *library = dlopen("libusb-1.0.so.0", RTLD_NOW | RTLD_LOCAL);
    state = library ? 1 : -1;
    for (size_t i = 0; state == 1 && i < sizeof entries / sizeof entries[0]; i++) {
      *entries[i].function = dlsym(library, entries[i].name);
      if (!*entries[i].function) state = -1;
    }
  }
  return state == 1;
}
