/// Always true: each linked object has pages of its own, one after another in the order of linking; what is given back
/// is used again only at the end. What has no room gets pages elsewhere, and is none of the region's.
#include "jit/llvm/region.h"

#include <llvm/Config/llvm-config.h>

#if LLVM_VERSION_MAJOR >= 16 && defined(__linux__)
#include <llvm-c/OrcEE.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"

/// An object with less room than the second before it gets a mapping of that size.
static const size_t region_bytes = (size_t)256 << 20, elsewhere_bytes = (size_t)32 << 20;

/// The pages of an object that is being linked, and then run.
typedef struct Pages {
  struct Region *region;
  char *start, *used, *end;      ///< up to `end` they can be written before it is linked
  bool is_elsewhere, is_written; ///< written: it has data that its code changes
} Pages;

struct Region {
  char *start, *used, *end;
  char *last; ///< the pages of the last object; NULL: they are elsewhere
  size_t last_size;
};

Region *region_new(void) {
  void *map =
      mmap(NULL, region_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) return NULL;
  Region *r = rlx_mem_zeroed(1, sizeof *r);
  r->start = r->used = map;
  r->end = r->start + region_bytes;
  return r;
}

void region_free(Region *r) {
  if (!r) return;
  munmap(r->start, region_bytes);
  free(r);
}

void *region_last(const Region *r, size_t *out_size) {
  *out_size = r ? r->last_size : 0;
  return r ? r->last : NULL;
}

static void *begin(void *data) {
  Pages *p = rlx_mem_zeroed(1, sizeof *p);
  Region *r = p->region = data;
  r->last = NULL;
  p->start = p->used = p->end = r->used;
  p->is_elsewhere = (size_t)(r->end - r->used) < elsewhere_bytes;
  if (!p->is_elsewhere) return p;
  void *map =
      mmap(NULL, elsewhere_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  p->start = p->used = p->end = map == MAP_FAILED ? NULL : map;
  return p;
}

/// Lets `size` more bytes be written; false: there is no memory.
static bool grow(Pages *p, size_t size) {
  Region *r = p->region;
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const char *limit = p->is_elsewhere ? p->start + elsewhere_bytes : r->end;
  size = (size + page - 1) / page * page;
  if (!p->start || size > (size_t)(limit - p->end) || (!p->is_elsewhere && r->used != p->end) ||
      mprotect(p->end, size, PROT_READ | PROT_WRITE))
    return false;
  p->end += size;
  if (!p->is_elsewhere) r->used = p->end;
  return true;
}

static uint8_t *place(Pages *p, uintptr_t size, unsigned alignment) {
  const uintptr_t mask = alignment ? alignment - 1 : 0, gap = (0 - (uintptr_t)p->used) & mask;
  if (gap + size > (size_t)(p->end - p->used) && !grow(p, gap + size)) return NULL;
  char *at = p->used + gap;
  p->used = at + size;
  return (uint8_t *)at;
}

static uint8_t *place_code(void *pages, uintptr_t size, unsigned alignment, unsigned id,
                           const char *name) {
  (void)id, (void)name;
  return place(pages, size, alignment);
}

static uint8_t *place_data(void *pages, uintptr_t size, unsigned alignment, unsigned id,
                           const char *name, LLVMBool is_read_only) {
  Pages *p = pages;
  (void)id;
  if (!is_read_only && strcmp(name, ".got") != 0) p->is_written = true;
  return place(p, size, alignment);
}

static LLVMBool finish(void *pages, char **error) {
  Pages *p = pages;
  const size_t size = (size_t)(p->end - p->start);
  const int way = PROT_READ | PROT_EXEC | (p->is_written ? PROT_WRITE : 0);
  if (size && mprotect(p->start, size, way)) {
    *error = strdup("its pages cannot be made executable");
    return 1;
  }
  __builtin___clear_cache(p->start, p->end);
  p->region->last = p->is_elsewhere || p->is_written || !size ? NULL : p->start;
  p->region->last_size = size;
  return 0;
}

static void give_back(void *pages) {
  Pages *p = pages;
  Region *r = p->region;
  const size_t size = (size_t)(p->end - p->start);
  if (p->is_elsewhere && p->start)
    munmap(p->start, elsewhere_bytes);
  else if (!p->is_elsewhere && size && !madvise(p->start, size, MADV_DONTNEED) &&
           !mprotect(p->start, size, PROT_NONE) && r->used == p->end)
    r->used = p->start;
  free(p);
}

static void end_all(void *data) { (void)data; }

static LLVMOrcObjectLayerRef make_layer(void *data, LLVMOrcExecutionSessionRef session,
                                        const char *triple) {
  (void)triple;
  return LLVMOrcCreateRTDyldObjectLinkingLayerWithMCJITMemoryManagerLikeCallbacks(
      session, data, begin, end_all, place_code, place_data, finish, give_back);
}

void region_use(Region *region, LLVMOrcLLJITBuilderRef builder) {
  if (region) LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(builder, make_layer, region);
}
#else
Region *region_new(void) { return NULL; }
void region_free(Region *region) { (void)region; }
void region_use(Region *region, LLVMOrcLLJITBuilderRef builder) { (void)region, (void)builder; }
void *region_last(const Region *region, size_t *out_size) {
  (void)region;
  return *out_size = 0, NULL;
}
#endif
