// lsm303d-arduino: ST LSM303D (Pimoroni, Pololu) or LSM9DS0, field and tilt at 100 Hz
//
// Wiring: VIN to 3.3 V (or 5 V where the board has a regulator), GND, SDA, SCL. Registers: ST data sheet DocID023312.

const char sketch[] = "lsm303d-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g";
uint8_t address = 0x1D;  // 0x1E with SA0 low

#include "board.h"

// No FIFO; ±4 g with a filter of 50 Hz at 200 Hz; ±2 G in high resolution at 100 Hz, continuous.
bool startSensor() {
  identity = getOne(address, 0x0F);
  if (identity != 0x49) {
    address ^= 0x1D ^ 0x1E;  // the other address next time
    return false;
  }
  put(address, 0x1F, 0x00);
  put(address, 0x2E, 0x00);
  put(address, 0x21, 0xC8);
  put(address, 0x20, 0x7F);
  put(address, 0x24, 0x74);
  put(address, 0x25, 0x00);
  return put(address, 0x26, 0x00);
}

// STATUS_M: ZYXMDA. Bit 7 of a register counts up. Field 0.08 mG a count, acceleration 0.122 mg.
bool readSensor(float *row) {
  uint8_t field[7], force[6];
  if (!get(address, 0x87, field, 7) || !(field[0] & 0x08)) return false;
  if (!get(address, 0xA8, force, 6)) return false;
  for (uint8_t i = 0; i < 3; i++) {
    int16_t counts = lowFirst(field + 1 + 2 * i);
    isSaturated |= counts == 32767 || counts == -32768;
    row[i] = counts * 0.008;
    row[3 + i] = lowFirst(force + 2 * i) * 0.000122;
  }
  return true;
}
