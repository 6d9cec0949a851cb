/// PrimFuncs around values and conditions that leave their types: a line of schedule_hostile.txt in one of several
/// structures.
#ifndef RLX_TESTS_PROP_HOSTILE_PRIMFUNC_H
#define RLX_TESTS_PROP_HOSTILE_PRIMFUNC_H

#include <ctype.h>
#include <stdio.h>

#include "base/file.h"
#include "tests/prop/random_maker.h"

typedef struct Hostile {
  char type[16], text[160];
} Hostile;

enum { HOSTILE_MAX = 128, HOSTILE_STRUCTURES = 9 };

/// The lines of the file: how many.
static inline int hostile_lines(Hostile *out) {
  FILE *file = fopen("tests/prop/schedule_hostile.txt", "r");
  char line[256];
  int count = 0;
  assert_non_null(file);
  while (count < HOSTILE_MAX && fgets(line, sizeof line, file))
    if (line[0] != '#' &&
        sscanf(line, "%15[a-z0-9]: %159[^\n]", out[count].type, out[count].text) == 2)
      count++;
  fclose(file);
  return count;
}

/// The expression over variables `i` and `j` (texts, of int32) and the buffer A.
static inline char *hostile_expr(const Hostile *h, const char *i, const char *j) {
  const bool is_plain = strcmp(h->type, "bool") == 0 || strcmp(h->type, "int32") == 0;
  RlxBuf out = {0};
  for (const char *at = h->text; *at;) {
    size_t size = 0;
    while (isalnum((unsigned char)at[size]) || at[size] == '_' || at[size] == '.' ||
           at[size] == '"')
      size++;
    const char *word = size != 1      ? NULL
                       : at[0] == 'i' ? i
                       : at[0] == 'j' ? j
                       : at[0] == 'a' ? "A[vi, vj]"
                                      : NULL;
    if (word && is_plain)
      rlx_buf_printf(&out, "(%s)", word);
    else if (word)
      rlx_buf_printf(&out, "T.Cast(\"%s\", %s)", h->type, word);
    else if (size == 1 && at[0] == 'k')
      rlx_buf_printf(&out, "T.%s", h->type);
    else
      rlx_buf_putn(&out, at, size ? size : 1);
    at += size ? size : 1;
  }
  return rlx_buf_steal(&out);
}

/// As a number of int32, and as a condition.
static inline char *hostile_value(const Hostile *h, const char *i, const char *j,
                                  bool as_condition) {
  char *e = hostile_expr(h, i, j);
  const bool is_condition = strcmp(h->type, "bool") == 0;
  RlxBuf out = {0};
  if (is_condition == as_condition)
    rlx_buf_printf(
        &out, is_condition || strcmp(h->type, "int32") == 0 ? "(%s)" : "T.Cast(\"int32\", %s)", e);
  else if (as_condition)
    rlx_buf_printf(&out, "%s > T.%s(%s)", e, h->type, h->type[0] == 'u' ? "5" : "0");
  else
    rlx_buf_printf(&out, "T.if_then_else(%s, 3, 5)", e);
  free(e);
  return rlx_buf_steal(&out);
}

/// In place of each "{v}" the value, of "{c}" the condition, of the block's variables; "{l}", "{m}": of the loops i and j.
static inline char *hostile_fill(const Hostile *h, const char *structure) {
  char *value = hostile_value(h, "vi", "vj", false),
       *condition = hostile_value(h, "vi", "vj", true), *outer = hostile_value(h, "i", "j", false),
       *where = hostile_value(h, "i", "j", true);
  const bool loads = strstr(where, "A[vi") != NULL; // a binding or predicate of loops loads nothing
  RlxBuf out = {0};
  for (const char *at = structure; *at; at++) {
    if (at[0] != '{') {
      rlx_buf_putc(&out, *at);
      continue;
    }
    const char *text = at[1] == 'v'   ? value
                       : at[1] == 'c' ? condition
                       : at[1] == 'l' ? outer
                                      : where;
    rlx_buf_puts(&out, loads && at[1] == 'm' ? "i < 9" : loads && at[1] == 'l' ? "i" : text);
    at += 2;
  }
  free(value);
  free(condition);
  free(outer);
  free(where);
  return rlx_buf_steal(&out);
}

#define HOSTILE_HEAD                                                                               \
  "@T.prim_func(s_tir=True)\ndef main(A: T.Buffer((16, 16), \"int32\"), C: T.Buffer((16, 16), "    \
  "\"int32\")):\n"
#define HOSTILE_TEMP "    B = T.sblock_alloc_buffer((16, 16), \"int32\")\n"
#define HOSTILE_GRID(name)                                                                         \
  "    for i, j in T.grid(16, 16):\n        with T.sblock(\"" name                                 \
  "\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
#define HOSTILE_LAST HOSTILE_GRID("C") "            C[vi, vj] = B[vi, vj] * 3 + A[vi, vj]\n"

static const char *const hostile_structures[HOSTILE_STRUCTURES] = {
    HOSTILE_HEAD HOSTILE_TEMP HOSTILE_GRID("B") "            B[vi, vj] = {v}\n" HOSTILE_LAST,
    // the same value twice, in tiles
    HOSTILE_HEAD HOSTILE_TEMP "    for i0, j0, i1, j1 in T.grid(4, 4, 4, 4):\n"
                              "        with T.sblock(\"B\"):\n"
                              "            vi = T.axis.spatial(16, i0 * 4 + i1)\n"
                              "            vj = T.axis.spatial(16, j0 * 4 + j1)\n"
                              "            B[vi, vj] = {v} + A[vi, vj] * {v}\n" HOSTILE_LAST,
    // a sum
    HOSTILE_HEAD "    for i, j in T.grid(16, 16):\n        with T.sblock(\"S\"):\n"
                 "            vi, vj = T.axis.remap(\"SR\", [i, j])\n"
                 "            with T.init():\n                C[vi, 0] = 0\n"
                 "            C[vi, 0] = C[vi, 0] + {v}\n",
    // branches
    HOSTILE_HEAD HOSTILE_TEMP HOSTILE_GRID("B") "            B[vi, vj] = 0\n" HOSTILE_GRID(
        "D") "            if {c}:\n                B[vi, vj] = A[vi, vj]\n" HOSTILE_LAST,
    // one side or the other
    HOSTILE_HEAD HOSTILE_TEMP HOSTILE_GRID(
        "B") "            B[vi, vj] = T.if_then_else({c}, A[vj, vi], 7)\n" HOSTILE_LAST,
    // an index
    HOSTILE_HEAD HOSTILE_TEMP HOSTILE_GRID(
        "B") "            B[vi, vj] = A[T.floormod({v}, 16), vj]\n" HOSTILE_LAST,
    // a predicate
    HOSTILE_HEAD HOSTILE_TEMP HOSTILE_GRID(
        "B") "            B[vi, vj] = 1\n"
             "    for i, j in T.grid(16, 16):\n        with T.sblock(\"D\"):\n"
             "            vi, vj = T.axis.remap(\"SS\", [i, j])\n            T.where({m})\n"
             "            B[vi, vj] = A[vi, vj] + vi\n" HOSTILE_LAST,
    // a binding
    HOSTILE_HEAD HOSTILE_TEMP HOSTILE_GRID(
        "B") "            B[vi, vj] = vi + vj\n"
             "    for i, j in T.grid(16, 16):\n        with T.sblock(\"C\"):\n"
             "            vi = T.axis.spatial(16, i)\n"
             "            vj = T.axis.spatial(16, j)\n"
             "            vk = T.axis.opaque(16, T.floormod({l}, 16))\n"
             "            C[vi, vj] = B[vk, vj]\n",
    // a name
    HOSTILE_HEAD HOSTILE_TEMP HOSTILE_GRID("B") "            x: T.int32 = {v}\n            B[vi, "
                                                "vj] = x // 4 + T.max(x, x - 1)\n" HOSTILE_LAST,
};

/// A PrimFunc in which a line of `all[0..count)` stands. Places in memory are computed in 64 bits, and TVM's compiled
/// code, like ours, counts on it that no number leaves those: such lines are values alone.
static inline char *hostile_primfunc(RlxTestRandom *random, const Hostile *all, int count) {
  const Hostile *h = &all[rlx_test_below(random, (uint32_t)count)];
  const char *structure;
  do structure = hostile_structures[rlx_test_below(random, HOSTILE_STRUCTURES)];
  while (strcmp(h->type, "int64") == 0 &&
         (strstr(structure, "floormod") || strstr(structure, "{m}")));
  return hostile_fill(h, structure);
}

#endif
