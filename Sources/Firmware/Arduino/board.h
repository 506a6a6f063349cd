#include <Wire.h>

// The same in every sketch: the bus, and lines that Lodestone reads without a question.

uint8_t identity;        // as the sensor gave it
bool isSaturated;        // the row to come is past the sensor's range
bool startSensor();      // sets the sensor up; false if it does not answer
bool readSensor(float *row);  // a new sample; false if there is none yet

bool put(uint8_t device, uint8_t reg, uint8_t value) {
  Wire.beginTransmission(device);
  Wire.write(reg);
  Wire.write(value);
  return Wire.endTransmission() == 0;
}

bool get(uint8_t device, uint8_t reg, uint8_t *bytes, uint8_t count) {
  Wire.beginTransmission(device);
  Wire.write(reg);
  if (Wire.endTransmission(false) != 0) return false;
  if (Wire.requestFrom(device, count) != count) return false;
  for (uint8_t i = 0; i < count; i++) bytes[i] = Wire.read();
  return true;
}

uint8_t getOne(uint8_t device, uint8_t reg) {
  uint8_t byte = 0;
  return get(device, reg, &byte, 1) ? byte : 0;
}

int16_t lowFirst(const uint8_t *bytes) { return (int16_t)(bytes[0] | bytes[1] << 8); }
int16_t highFirst(const uint8_t *bytes) { return (int16_t)(bytes[1] | bytes[0] << 8); }

// What the sensor is, and what the columns are: every 16 rows, for whoever begins to listen later.
void printHeader() {
  Serial.print(F("# "));
  Serial.print(sketch);
  Serial.print(F(", id 0x"));
  Serial.println(identity, HEX);
  Serial.print(F("time_ms,"));
  Serial.println(columns);
}

void setup() {
  Serial.begin(115200);
  Wire.begin();
  Wire.setClock(400000);
}

void loop() {
  static bool isRunning = false;
  static uint32_t sampleTime;
  static uint8_t rows;
  float row[9];
  if (!isRunning) {
    isRunning = startSensor();
    if (!isRunning) {
      Serial.print(F("# "));
      Serial.print(sketch);
      Serial.println(F(": the sensor does not answer: check its supply, SDA and SCL"));
      delay(1000);
      return;
    }
    rows = 0;
    sampleTime = millis();
  }
  uint32_t now = millis();
  isSaturated = false;
  if (!readSensor(row)) {
    if (now - sampleTime > 1000) isRunning = false;
    return;
  }
  sampleTime = now;
  if (rows++ % 16 == 0) printHeader();
  if (isSaturated) Serial.println(F("# saturated"));
  Serial.print(now);
  uint8_t count = 1;
  for (const char *c = columns; *c; c++) count += *c == ',';
  for (uint8_t i = 0; i < count; i++) {
    Serial.print(',');
    Serial.print(row[i], 4);
  }
  Serial.println();
}
