/// LLVM's own memory in children. Its tables are megabytes of relocated pointers, whose page tables
/// each fork would copy: most of what the fork of a small process costs. A child that compiles
/// nothing does without them, and without the libraries that came with LLVM. Sources: madvise(2), dl_iterate_phdr(3).
#include <link.h>
#include <llvm-c/Core.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jit/llvm/emit.h"

#ifdef MADV_DONTFORK
typedef struct Search {
  uintptr_t page_mask, ours, llvms; ///< addresses inside of this file and of LLVM
  bool is_behind, is_inherited;
} Search;

static bool holds(const struct dl_phdr_info *info, uintptr_t address) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && address >= start &&
        address < start + info->dlpi_phdr[i].p_memsz)
      return true;
  }
  return false;
}

static void advise(const struct dl_phdr_info *info, const Search *search) {
  uintptr_t first = UINTPTR_MAX, last = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
                    end = start + info->dlpi_phdr[i].p_memsz;
    if (start < first) first = start;
    if (end > last) last = end;
  }
  if (first >= last) return;
  first &= ~search->page_mask;
  last = (last + search->page_mask) & ~search->page_mask;
  char *start;
  memcpy(&start, &first, sizeof start);
  madvise(start, last - first, search->is_inherited ? MADV_DOFORK : MADV_DONTFORK);
}

/// Objects stand in the order in which they were loaded: what came with this file, LLVM and what only
/// LLVM needs, is behind it.
static int look_at(struct dl_phdr_info *info, size_t size, void *data) {
  Search *search = data;
  (void)size;
  if (holds(info, search->ours)) {
    if (holds(info, search->llvms)) return 1; // linked into this file, which children need
    search->is_behind = true;
  } else if (search->is_behind)
    advise(info, search);
  return 0;
}

/// How many libraries were loaded and unloaded so far.
static int look_at_counts(struct dl_phdr_info *info, size_t size, void *data) {
  unsigned long long *counts = data;
  if (size < offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs) return 1;
  counts[0] = info->dlpi_adds;
  counts[1] = info->dlpi_subs;
  return 1;
}

/// Whether the system was told the same before, of the same libraries.
static bool is_told(bool is_inherited) {
  static struct { // of the process, as its mappings are
    unsigned long long counts[2];
    bool is_inherited;
  } told;
  unsigned long long counts[2] = {0};
  dl_iterate_phdr(look_at_counts, counts);
  const bool is_same =
      counts[0] && told.is_inherited == is_inherited && !memcmp(told.counts, counts, sizeof counts);
  told.is_inherited = is_inherited;
  memcpy(told.counts, counts, sizeof counts);
  return is_same;
}

void rlx_llvm_inherit(bool is_inherited) {
  if (is_told(is_inherited)) return;
  void (*of_llvm)(LLVMContextRef) = LLVMContextDispose, (*of_ours)(bool) = rlx_llvm_inherit;
  Search search = {.page_mask = (uintptr_t)sysconf(_SC_PAGESIZE) - 1, .is_inherited = is_inherited};
  memcpy(&search.llvms, &of_llvm, sizeof search.llvms);
  memcpy(&search.ours, &of_ours, sizeof search.ours);
  dl_iterate_phdr(look_at, &search);
}
#else
void rlx_llvm_inherit(bool is_inherited) { (void)is_inherited; }
#endif
