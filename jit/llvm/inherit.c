/// LLVM's own memory in children. Its tables are megabytes of relocated pointers, whose page tables
/// each fork would copy: most of what the fork of a small process costs. A child that compiles
/// nothing does without them. Sources: madvise(2), dl_iterate_phdr(3).
#include <link.h>
#include <llvm-c/Core.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jit/llvm/emit.h"

#ifdef MADV_DONTFORK
typedef struct Range {
  uintptr_t inside, start, end;
} Range;

static bool holds(const struct dl_phdr_info *info, uintptr_t address) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && address >= start &&
        address < start + info->dlpi_phdr[i].p_memsz)
      return true;
  }
  return false;
}

/// Sets the range of the loaded object that holds the address `inside`.
static int find_object(struct dl_phdr_info *info, size_t size, void *data) {
  Range *range = data;
  (void)size;
  if (!holds(info, range->inside)) return 0;
  range->start = UINTPTR_MAX;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
                    end = start + info->dlpi_phdr[i].p_memsz;
    if (start < range->start) range->start = start;
    if (end > range->end) range->end = end;
  }
  return 1;
}

void rlx_llvm_inherit(bool is_inherited) {
  void (*of_llvm)(LLVMContextRef) = LLVMContextDispose, (*of_ours)(bool) = rlx_llvm_inherit;
  uintptr_t ours;
  Range range = {0};
  memcpy(&range.inside, &of_llvm, sizeof range.inside);
  memcpy(&ours, &of_ours, sizeof ours);
  if (!dl_iterate_phdr(find_object, &range)) return;
  if (ours >= range.start && ours < range.end) return; // linked into this file, which children need
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
  range.start &= ~page;
  range.end = (range.end + page) & ~page;
  char *start;
  memcpy(&start, &range.start, sizeof start);
  madvise(start, range.end - range.start, is_inherited ? MADV_DOFORK : MADV_DONTFORK);
}
#else
void rlx_llvm_inherit(bool is_inherited) { (void)is_inherited; }
#endif
