#define _GNU_SOURCE
#include "CLinuxMemory.h"

#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static int forget(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size, (void)data;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[index];
    if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
    uintptr_t start = (object->dlpi_addr + part->p_vaddr) & ~(page - 1);
    madvise((void *)start, object->dlpi_addr + part->p_vaddr + part->p_memsz - start, MADV_DONTNEED);
  }
  return 0;
}

void linux_forget_code(void) { dl_iterate_phdr(forget, NULL); }
