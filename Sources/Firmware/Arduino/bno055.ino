// bno055-arduino: Bosch BNO055 (Adafruit 2472, 4646), raw: nine axes at 30 Hz
//
// Wiring: VIN to 3.3 V, GND, SDA, SCL. Registers: Bosch data sheet BST-BNO055-DS000. Its own fusion is off: Lodestone
// calibrates the raw field. It stretches the clock.

const char sketch[] = "bno055-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g,gx_dps,gy_dps,gz_dps";
uint8_t address = 0x28;  // 0x29 with ADR high

#include "board.h"

// CONFIG, reset and its 650 ms, normal power, units m/s² and °/s; on page 1 the magnetometer at 30 Hz, enhanced
// regular; then the raw mode AMG.
bool startSensor() {
  identity = getOne(address, 0x00);
  if (identity != 0xA0) {
    address ^= 0x28 ^ 0x29;  // the other address next time
    return false;
  }
  put(address, 0x3D, 0x00);
  delay(20);
  put(address, 0x3F, 0x20);
  delay(700);
  if (getOne(address, 0x00) != 0xA0) return false;
  put(address, 0x3E, 0x00);
  put(address, 0x07, 0x00);
  put(address, 0x3B, 0x00);
  put(address, 0x3F, 0x00);
  put(address, 0x07, 0x01);
  put(address, 0x09, 0x17);
  put(address, 0x07, 0x00);
  put(address, 0x3D, 0x07);
  delay(20);
  return true;
}

// Acceleration (1/100 m/s²), field (1/16 µT), rotation (±2000 °/s over 16 bits); there is no ready flag, and zeros until there
// is a first sample.
bool readSensor(float *row) {
  static uint32_t last;
  uint8_t bytes[18];
  if (micros() - last < 33333 || !get(address, 0x08, bytes, 18)) return false;
  last = micros();
  bool isThere = false;
  for (uint8_t i = 6; i < 12; i++) isThere |= bytes[i] != 0;
  if (!isThere) return false;
  for (uint8_t i = 0; i < 3; i++) {
    row[i] = lowFirst(bytes + 6 + 2 * i) / 16.0;
    row[3 + i] = lowFirst(bytes + 2 * i) / 980.665;
    row[6 + i] = lowFirst(bytes + 12 + 2 * i) * (2000.0 / 32768);
    isSaturated |= row[i] >= 1300 || row[i] <= -1300;
  }
  return true;
}
