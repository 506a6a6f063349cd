// hmc5883l-arduino: Honeywell HMC5883L (GY-273, GY-80, old GY-271), field at 75 Hz
//
// Wiring: VCC to 3.3 V, GND, SDA, SCL. Registers: Honeywell data sheet HMC5883L, 900405.

const char sketch[] = "hmc5883l-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT";
const uint8_t address = 0x1E;

#include "board.h"

// 75 Hz, ±1.3 G, continuous mode. The first sample after a change of gain still has the old one.
bool startSensor() {
  uint8_t letters[3], bytes[6];
  delay(50);
  if (!get(address, 0x0A, letters, 3) || letters[0] != 'H' || letters[1] != '4' || letters[2] != '3') return false;
  identity = letters[0];
  put(address, 0x00, 0x18);
  put(address, 0x01, 0x20);
  put(address, 0x02, 0x00);
  delay(20);
  return get(address, 0x03, bytes, 6);
}

// x, z, y, high byte first; -4096 is past the range. RDY does not fall when it is read, so each 1/75 s is waited for.
// 1090 counts are one gauss.
bool readSensor(float *row) {
  static uint32_t last;
  uint8_t bytes[6];
  if (micros() - last < 1000000 / 75 || !(getOne(address, 0x09) & 0x01)) return false;
  if (!get(address, 0x03, bytes, 6)) return false;
  last = micros();
  const uint8_t places[] = {0, 4, 2};
  for (uint8_t i = 0; i < 3; i++) {
    int16_t counts = highFirst(bytes + places[i]);
    isSaturated |= counts == -4096;
    row[i] = counts * (100.0 / 1090);
  }
  return true;
}
