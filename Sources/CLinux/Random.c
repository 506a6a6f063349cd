#include <stdint.h>
#include <sys/random.h>

/// The C++ library asks for it; the C library has it from 2.36 on only, and the command runs with 2.35. Not for others to see.
__attribute__((weak, visibility("hidden"))) uint32_t arc4random(void) {
  uint32_t number = 0;
  while (getrandom(&number, sizeof number, 0) != sizeof number) {}
  return number;
}
