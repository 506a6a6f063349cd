// As much of an Arduino as the sketches use, on the pipe of a test: see SketchTests. The bus and the serial port go there as
// lines, and time passes only by what takes time on a board.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define F(text) text
#define HEX 16

inline uint64_t elapsed;  // microseconds since power-on
inline uint64_t told;     // of which the test knows

inline void take(uint64_t microseconds) { elapsed += microseconds; }
inline uint32_t micros() { return elapsed; }
inline uint32_t millis() {
  take(4);
  return elapsed / 1000;
}
inline void delay(uint32_t milliseconds) { take(1000 * (uint64_t)milliseconds); }

// Says what the bus does, and when; the test's answer. Ends the sketch with the test.
inline void ask(const char *request, char *answer, int size) {
  printf("%s %llu\n", request, (unsigned long long)(elapsed - told));
  told = elapsed;
  fflush(stdout);
  if (!fgets(answer, size, stdin)) exit(0);
}

struct SerialPort {
  char line[512];
  size_t length = 0;

  void begin(unsigned long) {}
  void add(const char *text) {
    length += snprintf(line + length, sizeof line - length, "%s", text);
    take(87 * strlen(text));  // ten bits a character at 115200 baud
  }
  void print(const char *text) { add(text); }
  void print(char letter) {
    char text[] = {letter, 0};
    add(text);
  }
  void print(int number, int base = 10) { print((unsigned long)number, base); }
  void print(unsigned number, int base = 10) { print((unsigned long)number, base); }
  void print(unsigned long number, int base = 10) {
    char text[32];
    snprintf(text, sizeof text, base == HEX ? "%lX" : "%lu", number);
    add(text);
  }
  void print(double number, int digits = 2) {
    char text[64];
    snprintf(text, sizeof text, "%.*f", digits, number);
    add(text);
  }
  template <typename... Values>
  void println(Values... values) {
    (print(values...));
    println();
  }
  void println() {
    take(2 * 87);
    printf("p %s\n", line);
    length = 0;
    line[0] = 0;
  }
};

inline SerialPort Serial;

void setup();
void loop();

int main() {
  setup();
  while (true) loop();
}
