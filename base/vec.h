/// Vec(T): a growable array as a macro type.
///
///     Vec(uint32_t) starts = {0};
///     rlx_vec_push(&starts, 7);
///     for (uint32_t i = 0; i < starts.count; i++) use(starts.at[i]);
///     rlx_vec_free(&starts);
///
/// Always true: zeroed is empty; `at[0..count)` are the elements. Elements move when the vector
/// grows (under `make stress` on every push), so hold an index, never a pointer. An argument `v`
/// may be evaluated several times; the pushed value is evaluated after the vector has grown and
/// must not itself change the vector.
#ifndef RLX_BASE_VEC_H
#define RLX_BASE_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define Vec(T)                                                                                     \
  struct {                                                                                         \
    T *at;                                                                                         \
    uint32_t count;                                                                                \
    uint32_t capacity;                                                                             \
  }

/// Makes room for `wanted` elements in all.
#define rlx_vec_reserve(v, wanted)                                                                 \
  ((v)->at = rlx_vec_grown((v)->at, (v)->count, &(v)->capacity, sizeof *(v)->at, (wanted)))

/// Appends one value (a compound literal with commas is fine).
#define rlx_vec_push(v, ...)                                                                       \
  (rlx_vec_reserve((v), (size_t)(v)->count + 1), (v)->at[(v)->count] = (__VA_ARGS__),              \
   (void)(v)->count++)

/// Takes the last element off and gives it; the vector must not be empty.
#define rlx_vec_pop(v) ((v)->at[--(v)->count])

/// The last element as an lvalue; the vector must not be empty.
#define rlx_vec_last(v) ((v)->at[(v)->count - 1])

/// Appends `n` elements copied from `values` (may be NULL when `n` is 0; must not be inside `v`).
#define rlx_vec_push_n(v, values, n) rlx_vec_insert_n((v), (v)->count, (values), (n))

/// Puts `n` elements copied from `values` before index `i`. NULL `values` inserts zeroed elements.
#define rlx_vec_insert_n(v, i, values, n)                                                          \
  (rlx_vec_reserve((v), (size_t)(v)->count + (n)),                                                 \
   rlx_vec_open_gap((v)->at, &(v)->count, sizeof *(v)->at, (i), (values), (n)))

/// Removes `n` elements from index `i` on.
#define rlx_vec_remove_n(v, i, n) rlx_vec_close_gap((v)->at, &(v)->count, sizeof *(v)->at, (i), (n))

/// Forgets the elements, keeps the memory.
#define rlx_vec_clear(v) ((void)((v)->count = 0))

/// Gives the memory back; the vector is empty and usable again.
#define rlx_vec_free(v) (free((v)->at), (v)->at = NULL, (void)((v)->count = (v)->capacity = 0))

/// The new place of an array of `count` elements with room for `wanted`. Ends the process without
/// memory or past 2^32-1 elements. For the macros above.
void *rlx_vec_grown(void *at, uint32_t count, uint32_t *capacity, size_t elem_size, size_t wanted);

/// For rlx_vec_insert_n: the room is there.
void rlx_vec_open_gap(void *at, uint32_t *count, size_t elem_size, size_t i, const void *values,
                      size_t n);

/// For rlx_vec_remove_n.
void rlx_vec_close_gap(void *at, uint32_t *count, size_t elem_size, size_t i, size_t n);

#endif
