// The I2C bus of the test, at 400 kHz.
#pragma once

#include "Arduino.h"

struct TwoWire {
  uint8_t device = 0, bytes[64], count = 0, next = 0;

  void begin() {}
  void setClock(uint32_t) {}
  void beginTransmission(uint8_t address) {
    device = address;
    count = 0;
  }
  size_t write(uint8_t byte) {
    if (count == sizeof bytes) return 0;
    bytes[count++] = byte;
    return 1;
  }
  // 0 where everything was acknowledged.
  uint8_t endTransmission(bool stop = true) {
    char request[256], answer[256];
    int length = snprintf(request, sizeof request, "w %02x ", device);
    for (uint8_t i = 0; i < count; i++) length += snprintf(request + length, sizeof request - length, "%02x", bytes[i]);
    snprintf(request + length, sizeof request - length, " %d", stop);
    pass(count);
    ask(request, answer, sizeof answer);
    return atoi(answer);
  }
  uint8_t requestFrom(uint8_t address, uint8_t wanted) {
    char request[32], answer[256];
    snprintf(request, sizeof request, "r %02x %d", address, wanted);
    pass(wanted);
    ask(request, answer, sizeof answer);
    count = next = 0;
    for (const char *c = answer; c[0] > ' ' && c[1] > ' '; c += 2) {
      char pair[] = {c[0], c[1], 0};
      bytes[count++] = strtol(pair, NULL, 16);
    }
    return count;
  }
  int read() { return next < count ? bytes[next++] : -1; }

 private:
  // Nine clocks a byte and the address's, and what the processor takes for it.
  void pass(uint8_t length) { take(23 * (length + 1) + 100); }
};

inline TwoWire Wire;
