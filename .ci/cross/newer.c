// Functions of glibc 2.38 that the Swift libraries of Debian's sid call. The older ones do not read 0b11 as binary, which
// nothing of ours writes. With them the command runs from glibc 2.35 on.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int count = vsscanf(text, format, values);
  va_end(values);
  return count;
}

size_t strlcpy(char *target, const char *source, size_t size) {
  size_t length = strlen(source);
  if (size > 0) {
    size_t kept = length < size ? length : size - 1;
    memcpy(target, source, kept);
    target[kept] = 0;
  }
  return length;
}
