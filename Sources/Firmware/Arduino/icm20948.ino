// icm20948-arduino: TDK ICM-20948 (SparkFun 15335, Adafruit 4554), nine axes at 100 Hz
//
// Wiring: VIN to 3.3 V, GND, SDA, SCL. Registers: TDK data sheet DS-000189, AKM data sheet AK09916.

const char sketch[] = "icm20948-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g,gx_dps,gy_dps,gz_dps";
uint8_t address = 0x69;  // 0x68 with AD0 low
const uint8_t magnetometer = 0x0C;

#include "board.h"

// Reset, awake, the magnetometer on the outer bus (BYPASS_EN); bank 2: 102 Hz, ±500 °/s, ±4 g, filters of 50 Hz; then
// the AK09916 at 100 Hz.
bool startSensor() {
  put(address, 0x7F, 0x00);
  identity = getOne(address, 0x00);
  if (identity != 0xEA) {
    address ^= 0x68 ^ 0x69;  // the other address next time
    return false;
  }
  put(address, 0x06, 0x80);
  delay(100);
  put(address, 0x06, 0x01);
  put(address, 0x07, 0x00);
  put(address, 0x03, 0x00);
  put(address, 0x0F, 0x02);
  delay(10);
  put(address, 0x7F, 0x20);
  put(address, 0x00, 10);
  put(address, 0x01, 0x1B);
  put(address, 0x10, 0);
  put(address, 0x11, 10);
  put(address, 0x14, 0x1B);
  put(address, 0x7F, 0x00);
  if (getOne(magnetometer, 0x01) != 0x09) return false;
  put(magnetometer, 0x32, 0x01);
  delay(10);
  return put(magnetometer, 0x31, 0x08);
}

// ST1 (DRDY) to ST2 (HOFL), which ends the reading; then acceleration and rotation. The magnetometer's y and z point
// the other way.
bool readSensor(float *row) {
  uint8_t field[9], motion[12];
  if (!get(magnetometer, 0x10, field, 9) || !(field[0] & 0x01)) return false;
  if (!get(address, 0x2D, motion, 12)) return false;
  isSaturated = field[8] & 0x08;
  for (uint8_t i = 0; i < 3; i++) {
    row[i] = lowFirst(field + 1 + 2 * i) * (i == 0 ? 0.15 : -0.15);
    row[3 + i] = highFirst(motion + 2 * i) / 8192.0;
    row[6 + i] = highFirst(motion + 6 + 2 * i) / 65.5;
  }
  return true;
}
