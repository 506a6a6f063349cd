/// libusb, loaded when a bridge is first asked for: a program that needs none starts without it, and runs where it is not
/// installed. Its functions have their own names and may be called once `libusb_load` has succeeded.
#ifndef CLIBUSB_H
#define CLIBUSB_H

#include <libusb-1.0/libusb.h>

/// Loads the library once; false where it is not installed or lacks a function. Not for two threads at once.
_Bool libusb_load(void);

#endif
