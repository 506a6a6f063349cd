// lis2mdl-arduino: ST LIS2MDL (Adafruit 4488) and IIS2MDC, field at 100 Hz
//
// Wiring: VIN to 3.3 V, GND, SDA, SCL. Registers: ST data sheet LIS2MDL, DS12144.

const char sketch[] = "lis2mdl-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT";
const uint8_t address = 0x1E;

#include "board.h"

// Soft reset; block data update, offset cancellation, then temperature compensation, 100 Hz, continuous mode.
bool startSensor() {
  identity = getOne(address, 0x4F);
  if (identity != 0x40) return false;
  put(address, 0x60, 0x20);
  delay(5);
  put(address, 0x62, 0x10);
  put(address, 0x61, 0x02);
  return put(address, 0x60, 0x8C);
}

// STATUS: Zyxda. One count is 0.15 µT; x turned round, as the chip's axes are left-handed.
bool readSensor(float *row) {
  uint8_t bytes[6];
  if (!(getOne(address, 0x67) & 0x08) || !get(address, 0x68, bytes, 6)) return false;
  for (uint8_t i = 0; i < 3; i++) {
    int16_t counts = lowFirst(bytes + 2 * i);
    isSaturated |= counts == 32767 || counts == -32768;
    row[i] = counts * (i == 0 ? -0.15 : 0.15);
  }
  return true;
}
