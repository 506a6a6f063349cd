// mlx90393-arduino: Melexis MLX90393 (Adafruit 4022, SparkFun 14571), field at 50 Hz, up to 13 mT
//
// Wiring: VIN to 3.3 V, GND, SDA, SCL. Commands: Melexis data sheet MLX90393, rev. 006. It has commands where others
// have registers, each answered by a status byte.

const char sketch[] = "mlx90393-arduino";
const char columns[] = "mx_uT,my_uT,mz_uT";
uint8_t address = 0x0C;  // to 0x0F by A0 and A1; newer variants from 0x18 on

#include "board.h"

// A command and its answer, the status byte first.
bool command(const uint8_t *bytes, uint8_t count, uint8_t *answer, uint8_t length) {
  Wire.beginTransmission(address);
  for (uint8_t i = 0; i < count; i++) Wire.write(bytes[i]);
  if (Wire.endTransmission() != 0) return false;
  if (Wire.requestFrom(address, length) != length) return false;
  for (uint8_t i = 0; i < length; i++) answer[i] = Wire.read();
  return true;
}

bool writeRegister(uint8_t reg, uint16_t value) {
  uint8_t bytes[] = {0x60, (uint8_t)(value >> 8), (uint8_t)value, (uint8_t)(reg << 2)}, status;
  return command(bytes, 4, &status, 1) && !(status & 0x10);
}

bool measure() {
  uint8_t start = 0x3E, status;  // one measurement of x, y and z
  return command(&start, 1, &status, 1) && !(status & 0x10);
}

// EX, RT; then gain 1 with HALLCONF 0C, and RES 2, because finer ones wrap round past 5 mT, with DIG_FILT 4 and OSR 2:
// 14.5 ms.
bool startSensor() {
  uint8_t leave = 0x80, reset = 0xF0, status = 0;
  command(&leave, 1, &status, 1);
  delay(1);
  if (!command(&reset, 1, &status, 1)) {
    address = address == 0x0F ? 0x18 : address == 0x1B ? 0x0C : address + 1;  // the next address next time
    return false;
  }
  delay(5);
  identity = status;
  return writeRegister(0x00, 0x007C) && writeRegister(0x01, 0x0000) && writeRegister(0x02, 0x0552) && measure();
}

// Around 32768, 0.600 µT a count in x and y, 0.968 µT in z; the converter stops at 22000. Read before it is done, the
// answer is an error.
bool readSensor(float *row) {
  static uint32_t last;
  uint8_t read = 0x4E, answer[7];
  if (micros() - last < 20000) return false;
  if (!command(&read, 1, answer, 7) || answer[0] & 0x10) return false;
  last = micros();
  measure();
  for (uint8_t i = 0; i < 3; i++) {
    int16_t counts = (int16_t)(highFirst(answer + 1 + 2 * i) ^ 0x8000);
    isSaturated |= counts <= -22000 || counts >= 22000;
    row[i] = counts * (i < 2 ? 0.600 : 0.968);
  }
  return true;
}
