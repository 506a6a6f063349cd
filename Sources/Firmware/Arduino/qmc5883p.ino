// qmc5883p-arduino: QST QMC5883P (newer GY-271, "HP5883"), field at 200 Hz
//
// Wiring: VCC to 3.3 V, GND, SDA, SCL. Registers: QST data sheet QMC5883P.

const char sketch[] = "qmc5883p-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT";
const uint8_t address = 0x2C;

#include "board.h"

// Soft reset, the axes' signs, ±8 G with set and reset on; then from suspend to normal mode at 200 Hz.
bool startSensor() {
  identity = getOne(address, 0x00);
  if (identity != 0x80) return false;
  put(address, 0x0B, 0x80);
  delay(50);
  put(address, 0x0B, 0x00);
  put(address, 0x29, 0x06);
  put(address, 0x0A, 0x00);
  put(address, 0x0B, 0x08);
  put(address, 0x0A, 0xCD);
  return getOne(address, 0x0B) == 0x08;  // some parts ignore the range
}

// STATUS: DRDY, OVFL. 3750 counts are one gauss.
bool readSensor(float *row) {
  uint8_t status = getOne(address, 0x09), bytes[6];
  if (!(status & 0x01) || !get(address, 0x01, bytes, 6)) return false;
  isSaturated = status & 0x02;
  for (uint8_t i = 0; i < 3; i++) row[i] = lowFirst(bytes + 2 * i) * (100.0 / 3750);
  return true;
}
