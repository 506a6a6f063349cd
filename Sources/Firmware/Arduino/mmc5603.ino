// mmc5603-arduino: Memsic MMC5603NJ (Adafruit 5579) and MMC5633, field at 200 Hz
//
// Wiring: VIN to 3.3 V, GND, SDA, SCL. Registers: Memsic data sheet MMC5603NJ. Its control registers can't be read.

const char sketch[] = "mmc5603-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT";
const uint8_t address = 0x30;

#include "board.h"

// Software reset, SET and RESET, then 200 Hz with a measurement of 2 ms: CMM_FREQ_EN and AUTO_SR, then CMM_EN.
bool startSensor() {
  identity = getOne(address, 0x39);
  if (identity != 0x10) return false;
  put(address, 0x1C, 0x80);
  delay(20);
  put(address, 0x1B, 0x08);
  delay(1);
  put(address, 0x1B, 0x10);
  delay(1);
  put(address, 0x1A, 200);
  put(address, 0x1C, 0x02);
  put(address, 0x1B, 0xA0);
  return put(address, 0x1D, 0x10);
}

// STATUS1: Meas_m_done. 20 bits around 2^19, 16384 counts are one gauss.
bool readSensor(float *row) {
  uint8_t bytes[9];
  if (!(getOne(address, 0x18) & 0x40) || !get(address, 0x00, bytes, 9)) return false;
  for (uint8_t i = 0; i < 3; i++) {
    int32_t code = (int32_t)bytes[2 * i] << 12 | (int32_t)bytes[2 * i + 1] << 4 | bytes[6 + i] >> 4;
    isSaturated |= code == 0 || code == 0xFFFFF;
    row[i] = (code - 524288) * (100.0 / 16384);
  }
  return true;
}
