// qmc5883l-arduino: QST QMC5883L (most boards sold as GY-271), field at 200 Hz
//
// Wiring: VCC to 3.3 V, GND, SDA, SCL. Registers: QST data sheet QMC5883L, rev. 1.0.

const char sketch[] = "qmc5883l-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT";
const uint8_t address = 0x0D;

#include "board.h"

// Soft reset, the recommended set/reset period, then continuous mode: over-sampling 512, ±2 G, 200 Hz.
bool startSensor() {
  getOne(address, 0x00);  // the identity is only right after a first read
  identity = getOne(address, 0x0D);
  if (identity != 0xFF || getOne(address, 0x0C) == 0xFF) return false;
  put(address, 0x0A, 0x80);
  delay(10);
  put(address, 0x0B, 0x01);
  put(address, 0x0A, 0x00);
  return put(address, 0x09, 0x0D);
}

// STATUS: DRDY, OVL. 12000 counts are one gauss.
bool readSensor(float *row) {
  uint8_t status = getOne(address, 0x06), bytes[6];
  if (!(status & 0x01) || !get(address, 0x00, bytes, 6)) return false;
  isSaturated = status & 0x02;
  for (uint8_t i = 0; i < 3; i++) row[i] = lowFirst(bytes + 2 * i) * (100.0 / 12000);
  return true;
}
