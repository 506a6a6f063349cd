// bmm150-arduino: Bosch BMM150 (DFRobot SEN0419, Grove compass v2), field at 100 Hz
//
// Wiring: VCC to 3.3 V, GND, SDA, SCL. Registers and compensation: Bosch data sheet BST-BMM150-DS001 and its published
// driver.

const char sketch[] = "bmm150-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT";
uint8_t address = 0x10;  // to 0x13, by the straps CSB and SDO

#include "board.h"

struct {
  int8_t x1, y1, x2, y2, xy2;
  uint8_t xy1;
  uint16_t z1, xyz1;
  int16_t z2, z3, z4;
} trim;

void readTrim() {
  uint8_t a[2], b[4], c[10];
  get(address, 0x5D, a, 2);
  get(address, 0x62, b, 4);
  get(address, 0x68, c, 10);
  trim.x1 = a[0];
  trim.y1 = a[1];
  trim.z4 = lowFirst(b);
  trim.x2 = b[2];
  trim.y2 = b[3];
  trim.z2 = lowFirst(c);
  trim.z1 = lowFirst(c + 2);
  trim.xyz1 = lowFirst(c + 4) & 0x7FFF;
  trim.z3 = lowFirst(c + 6);
  trim.xy2 = c[8];
  trim.xy1 = c[9];
}

// Power on, 3 ms, the trim values, and the "regular" preset: 9 repetitions in x and y, 15 in z. Normal mode ends at
// 30 Hz, so each measurement is forced.
bool startSensor() {
  put(address, 0x4B, 0x01);
  delay(3);
  identity = getOne(address, 0x40);
  if (identity != 0x32) {
    address = 0x10 | ((address + 1) & 3);  // the next address next time
    return false;
  }
  readTrim();
  put(address, 0x51, 4);
  put(address, 0x52, 14);
  return put(address, 0x4C, 0x02);
}

// DRDY is a bit of the Hall resistance. -4096 and -16384 are past the range.
bool readSensor(float *row) {
  uint8_t bytes[8];
  if (!(getOne(address, 0x48) & 0x01) || !get(address, 0x42, bytes, 8)) return false;
  put(address, 0x4C, 0x02);
  int16_t x = lowFirst(bytes) >> 3, y = lowFirst(bytes + 2) >> 3, z = lowFirst(bytes + 4) >> 1;
  uint16_t hall = (uint16_t)lowFirst(bytes + 6) >> 2;
  if (hall == 0 || trim.xyz1 == 0) return false;
  isSaturated = x == -4096 || y == -4096 || z == -16384;
  float r = trim.xyz1 * 16384.0 / hall - 16384;
  float gain = trim.xy2 * (r * r / 268435456.0) + r * trim.xy1 / 16384 + 256;
  row[0] = (x * (gain * (trim.x2 + 160.0)) / 8192 + trim.x1 * 8.0) / 16;
  row[1] = (y * (gain * (trim.y2 + 160.0)) / 8192 + trim.y1 * 8.0) / 16;
  float drift = trim.z3 * ((float)hall - trim.xyz1);
  row[2] = ((z - trim.z4) * 131072.0 - drift) / ((trim.z2 + trim.z1 * (float)hall / 32768) * 4) / 16;
  return true;
}
