#include "LibFuzzer.h"

#include <stdio.h>

// The sections that -sanitize-coverage writes (clang's documentation, SanitizerCoverage): a counter for each edge, and
// beside it the edge's address and flags, of which the lowest tells the entry of a function.
struct edge {
  uintptr_t address, flags;
};
extern uint8_t __start___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern uint8_t __stop___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern struct edge __start___sancov_pcs[] __attribute__((weak, visibility("hidden")));
extern char __executable_start[] __attribute__((visibility("hidden")));

// Nothing but a trap: the counter is raised (incb), and then comes ud2. Checks of bounds and overflow end there.
static int is_trap(const uint8_t *code) {
  return code[0] == 0xfe && code[1] == 0x05 && code[6] == 0x0f && code[7] == 0x0b;
}

void LodestonePrintEdges(void) {
  size_t count = (size_t)(__stop___sancov_cntrs - __start___sancov_cntrs);
  for (size_t i = 0; i < count; i++) {
    struct edge edge = __start___sancov_pcs[i];
    // 1 stands for code that the compiler took out after it was counted.
    if (edge.address == 1 || is_trap((const uint8_t *)edge.address)) continue;
    printf("0x%zx %d %d\n", (size_t)(edge.address - (uintptr_t)__executable_start), (int)(edge.flags & 1),
           __start___sancov_cntrs[i] != 0);
  }
}
