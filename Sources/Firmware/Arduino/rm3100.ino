// rm3100-arduino: PNI RM3100, field at 147 Hz
//
// Wiring: VCC to 3.3 V, GND, SDA, SCL; I2CEN high. Registers: PNI user manual 1017252 r03.

const char sketch[] = "rm3100-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT";
uint8_t address = 0x20;  // to 0x23, by SA0 and SA1

#include "board.h"

// Stopped, 200 cycles an axis (75 counts a µT), an update rate of 150 Hz (TMRC), then continuous mode on three axes.
bool startSensor() {
  identity = getOne(address, 0x36);
  if (identity != 0x22) {
    address = 0x20 | ((address + 1) & 3);  // the next address next time
    return false;
  }
  put(address, 0x01, 0x00);
  for (uint8_t axis = 0; axis < 3; axis++) {
    put(address, 0x04 + 2 * axis, 0);
    put(address, 0x05 + 2 * axis, 200);
  }
  put(address, 0x0B, 0x94);
  return put(address, 0x01, 0x71);
}

// STATUS: DRDY. 24 bits, high byte first.
bool readSensor(float *row) {
  uint8_t bytes[9];
  if (!(getOne(address, 0x34) & 0x80) || !get(address, 0x24, bytes, 9)) return false;
  for (uint8_t i = 0; i < 3; i++) {
    const uint8_t *b = bytes + 3 * i;
    int32_t counts = (int32_t)((uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8) / 256;
    row[i] = counts / 75.0;
    isSaturated |= row[i] > 800 || row[i] < -800;
  }
  return true;
}
