/// The parts of Vec(T) that need no type: growing, and closing a gap.
#include "base/vec.h"

#include "base/bug.h"
#include "base/mem.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *rlx_vec_grown(void *at, uint32_t count, uint32_t *capacity, size_t elem_size, size_t wanted) {
  if (wanted > UINT32_MAX) rlx_mem_exhausted(wanted);
#ifdef RLX_STRESS
  // Move on every call, so that a pointer kept across a push is found by ASan.
  if (wanted < *capacity) wanted = *capacity;
  if (wanted == 0) return at;
  void *moved = rlx_mem_alloc(wanted, elem_size);
  if (count) memcpy(moved, at, count * elem_size);
  free(at);
  *capacity = (uint32_t)wanted;
  return moved;
#else
  (void)count;
  if (wanted <= *capacity) return at;
  size_t room = (size_t)*capacity + *capacity / 2;
  if (room < wanted) room = wanted;
  if (room < 4) room = 4;
  if (room > UINT32_MAX) room = UINT32_MAX;
  *capacity = (uint32_t)room;
  return rlx_mem_resize(at, room, elem_size);
#endif
}

void rlx_vec_open_gap(void *at, uint32_t *count, size_t elem_size, size_t i, const void *values,
                      size_t n) {
  if (n == 0 || rlx_never(i > *count)) return;
  char *gap = (char *)at + i * elem_size;
  memmove(gap + n * elem_size, gap, (*count - i) * elem_size);
  if (values) {
    memcpy(gap, values, n * elem_size);
  } else {
    memset(gap, 0, n * elem_size);
  }
  *count += (uint32_t)n;
}

void rlx_vec_close_gap(void *at, uint32_t *count, size_t elem_size, size_t i, size_t n) {
  if (n == 0 || rlx_never(i > *count || n > *count - i)) return;
  char *gap = (char *)at + i * elem_size;
  memmove(gap, gap + n * elem_size, (*count - i - n) * elem_size);
  *count -= (uint32_t)n;
}
