// lis3mdl-arduino: ST LIS3MDL (Adafruit 4479, Pololu 2737), field at 155 Hz
//
// Wiring: VIN to 3.3 V, GND, SDA, SCL. Registers: ST data sheet LIS3MDL, DocID024204.

const char sketch[] = "lis3mdl-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT";
uint8_t address = 0x1C;  // 0x1E with SA1 high

#include "board.h"

// Soft reset; ultra-high performance on all axes with FAST_ODR, ±4 G, block data update, continuous mode.
bool startSensor() {
  identity = getOne(address, 0x0F);
  if (identity != 0x3D) {
    address ^= 0x1C ^ 0x1E;  // the other address next time
    return false;
  }
  put(address, 0x21, 0x04);
  delay(10);
  put(address, 0x20, 0x62);
  put(address, 0x21, 0x00);
  put(address, 0x23, 0x0C);
  put(address, 0x24, 0x40);
  return put(address, 0x22, 0x00);
}

// STATUS: ZYXDA. Bit 7 of the register counts up in a burst. 6842 counts are one gauss.
bool readSensor(float *row) {
  uint8_t bytes[6];
  if (!(getOne(address, 0x27) & 0x08) || !get(address, 0x28 | 0x80, bytes, 6)) return false;
  for (uint8_t i = 0; i < 3; i++) {
    int16_t counts = lowFirst(bytes + 2 * i);
    isSaturated |= counts == 32767 || counts == -32768;
    row[i] = counts * (100.0 / 6842);
  }
  return true;
}
