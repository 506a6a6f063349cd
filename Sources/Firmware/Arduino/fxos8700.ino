// fxos8700-arduino: NXP FXOS8700CQ (Adafruit 3463, FRDM boards), field and tilt at 50 Hz
//
// Wiring: VIN to 3.3 V (or 5 V where the board has a regulator), GND, SDA, SCL. Registers: NXP data sheet FXOS8700CQ rev. 8.

const char sketch[] = "fxos8700-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g";
uint8_t address = 0x1F;  // 0x1C to 0x1E by SA0 and SA1

#include "board.h"

// Standby until the running measurement is over; no FIFO; both sensors with the most over-sampling, read in one burst; ±4 g,
// high resolution; 50 Hz.
bool startSensor() {
  identity = getOne(address, 0x0D);
  if (identity != 0xC7) {
    address = address == 0x1F ? 0x1C : address + 1;  // the next address next time
    return false;
  }
  put(address, 0x2A, 0x00);
  delay(50);
  put(address, 0x09, 0x00);
  put(address, 0x5B, 0x1F);
  put(address, 0x5C, 0x20);
  put(address, 0x0E, 0x01);
  put(address, 0x2B, 0x02);
  return put(address, 0x2A, 0x1D);
}

// DR_STATUS (ZYXDR), acceleration in 14 bits at the upper end of 16, 2048 counts a g; field 0.1 µT a count.
bool readSensor(float *row) {
  uint8_t bytes[13];
  if (!get(address, 0x00, bytes, 13) || !(bytes[0] & 0x08)) return false;
  for (uint8_t i = 0; i < 3; i++) {
    row[i] = highFirst(bytes + 7 + 2 * i) * 0.1;
    isSaturated |= row[i] >= 1200 || row[i] <= -1200;
    row[3 + i] = highFirst(bytes + 1 + 2 * i) / 8192.0;
  }
  return true;
}
