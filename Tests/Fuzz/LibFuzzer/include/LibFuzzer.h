// libFuzzer's own entry, for a program that has a main of its own, and the edges it counts.
#ifndef LODESTONE_LIBFUZZER_H
#define LODESTONE_LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *data, size_t size));

/// Prints each edge of the program that is instrumented, without those that only trap, one a line: where it is in the
/// file, 1 where a function begins,
/// 1 where it was reached.
void LodestonePrintEdges(void);

#endif
