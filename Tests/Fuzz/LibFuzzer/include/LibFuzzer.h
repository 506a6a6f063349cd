// libFuzzer's own entry, for a program that has a main of its own.
#ifndef LODESTONE_LIBFUZZER_H
#define LODESTONE_LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *data, size_t size));

#endif
