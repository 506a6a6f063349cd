// mmc5983ma-arduino: Memsic MMC5983MA (SparkFun 19921), field at 200 Hz
//
// Wiring: 3V3 to 3.3 V, GND, SDA, SCL. Registers: Memsic data sheet MMC5983MA, rev. A. Its control registers can't be
// read.

const char sketch[] = "mmc5983ma-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT";
const uint8_t address = 0x30;

#include "board.h"

// Software reset, then automatic set and reset, a measurement of 4 ms, 200 Hz.
bool startSensor() {
  identity = getOne(address, 0x2F);
  if (identity != 0x30) return false;
  put(address, 0x0A, 0x80);
  delay(15);
  put(address, 0x09, 0x20);
  put(address, 0x0A, 0x01);
  return put(address, 0x0B, 0x0E);
}

// STATUS: Meas_M_Done, cleared by writing it. 18 bits around 2^17, 16384 counts are one gauss; z turned round, as the
// chip's axes are left-handed.
bool readSensor(float *row) {
  uint8_t bytes[7];
  if (!(getOne(address, 0x08) & 0x01) || !get(address, 0x00, bytes, 7)) return false;
  put(address, 0x08, 0x01);
  for (uint8_t i = 0; i < 3; i++) {
    int32_t code = (int32_t)bytes[2 * i] << 10 | (int32_t)bytes[2 * i + 1] << 2 | (bytes[6] >> (6 - 2 * i) & 3);
    isSaturated |= code == 0 || code == 0x3FFFF;
    row[i] = (code - 131072) * ((i == 2 ? -100.0 : 100.0) / 16384);
  }
  return true;
}
