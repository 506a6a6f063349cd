// mpu9250-arduino: InvenSense MPU-9250 and MPU-9255 (GY-9250, GY-91), nine axes at 100 Hz
//
// Wiring: VCC to 3.3 V, GND, SDA, SCL. Registers: InvenSense RM-MPU-9250A-00, AKM data sheet AK8963. A board that
// answers 70 is an MPU-6500 and has no magnetometer.

const char sketch[] = "mpu9250-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g,gx_dps,gy_dps,gz_dps";
uint8_t address = 0x68;  // 0x69 with AD0 high
const uint8_t magnetometer = 0x0C;

#include "board.h"

float sensitivity[3];  // of each axis, from the part's fuses

// Reset, awake, the magnetometer on the outer bus (BYPASS_EN); ±500 °/s, ±4 g, filters of 41 Hz, 100 Hz. The AK8963:
// reset, the fuses' values, power-down, then 16 bits at 100 Hz.
bool startSensor() {
  uint8_t fuses[3];
  identity = getOne(address, 0x75);
  if (identity != 0x71 && identity != 0x73) {
    address ^= 0x68 ^ 0x69;  // the other address next time
    return false;
  }
  put(address, 0x6B, 0x80);
  delay(100);
  put(address, 0x6B, 0x01);
  put(address, 0x6A, 0x00);
  put(address, 0x37, 0x22);
  delay(10);
  put(address, 0x1B, 0x08);
  put(address, 0x1C, 0x08);
  put(address, 0x1A, 0x03);
  put(address, 0x1D, 0x03);
  put(address, 0x19, 9);
  if (getOne(magnetometer, 0x00) != 0x48) return false;
  put(magnetometer, 0x0B, 0x01);
  delay(10);
  put(magnetometer, 0x0A, 0x0F);
  if (!get(magnetometer, 0x10, fuses, 3)) return false;
  for (uint8_t i = 0; i < 3; i++) sensitivity[i] = 0.15 * ((fuses[i] - 128) * 0.5 / 128 + 1);
  put(magnetometer, 0x0A, 0x00);
  delay(1);
  return put(magnetometer, 0x0A, 0x16);
}

// ST1 (DRDY) to ST2 (HOFL), which ends the reading; then acceleration, temperature, rotation. The magnetometer's axes
// are y, x and -z of the others.
bool readSensor(float *row) {
  uint8_t field[8], motion[14];
  if (!get(magnetometer, 0x02, field, 8) || !(field[0] & 0x01)) return false;
  if (!get(address, 0x3B, motion, 14)) return false;
  isSaturated = field[7] & 0x08;
  row[0] = lowFirst(field + 3) * sensitivity[1];
  row[1] = lowFirst(field + 1) * sensitivity[0];
  row[2] = lowFirst(field + 5) * -sensitivity[2];
  for (uint8_t i = 0; i < 3; i++) {
    row[3 + i] = highFirst(motion + 2 * i) / 8192.0;
    row[6 + i] = highFirst(motion + 8 + 2 * i) / 65.5;
  }
  return true;
}
