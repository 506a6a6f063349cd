// lsm9ds1-arduino: ST LSM9DS1 (SparkFun 13284, Adafruit 3387), nine axes at 80 Hz
//
// Wiring: VIN to 3.3 V, GND, SDA, SCL. Registers: ST data sheet LSM9DS1, DocID025715.

const char sketch[] = "lsm9ds1-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g,gx_dps,gy_dps,gz_dps";
uint8_t address = 0x6B;       // accelerometer and gyroscope; 0x6A with SDO low
uint8_t magnetometer = 0x1E;  // 0x1C with SDO_M low

#include "board.h"

// Reset; 119 Hz, ±500 °/s, ±4 g, block data update. The magnetometer: ultra-high performance at 80 Hz, temperature
// compensated, ±4 G.
bool startSensor() {
  identity = getOne(address, 0x0F);
  if (identity != 0x68) address ^= 0x6A ^ 0x6B;  // the other address next time
  if (getOne(magnetometer, 0x0F) != 0x3D) magnetometer ^= 0x1C ^ 0x1E;
  if (identity != 0x68 || getOne(magnetometer, 0x0F) != 0x3D) return false;
  put(address, 0x22, 0x05);
  delay(10);
  put(address, 0x22, 0x44);
  put(address, 0x10, 0x68);
  put(address, 0x20, 0x70);
  put(magnetometer, 0x21, 0x04);
  delay(10);
  put(magnetometer, 0x20, 0xFC);
  put(magnetometer, 0x21, 0x00);
  put(magnetometer, 0x23, 0x0C);
  put(magnetometer, 0x24, 0x40);
  return put(magnetometer, 0x22, 0x00);
}

// Field: 0.14 mG a count. Acceleration 0.122 mg, rotation 17.5 m°/s: x turned round, as their axes are left-handed.
bool readSensor(float *row) {
  uint8_t field[6], turn[6], force[6];
  if (!(getOne(magnetometer, 0x27) & 0x08) || !get(magnetometer, 0x28 | 0x80, field, 6)) return false;
  if (!get(address, 0x18, turn, 6) || !get(address, 0x28, force, 6)) return false;
  for (uint8_t i = 0; i < 3; i++) {
    int16_t counts = lowFirst(field + 2 * i);
    isSaturated |= counts == 32767 || counts == -32768;
    row[i] = counts * 0.014;
    row[3 + i] = lowFirst(force + 2 * i) * (i == 0 ? -0.000122 : 0.000122);
    row[6 + i] = lowFirst(turn + 2 * i) * (i == 0 ? -0.0175 : 0.0175);
  }
  return true;
}
