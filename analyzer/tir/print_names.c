/// The names that a printer gives. Always true: a text is in `taken` as often as it is in the list, and a
/// key's text is that of its last name in the list.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/tir/print_names.h"
#include "base/mem.h"

bool rlx_print_names_has(const RlxPrintNames *names, const char *text) {
  static const char *const of_tvm[] = {"I", "R", "T", "cls"};
  for (size_t i = 0; i < sizeof of_tvm / sizeof of_tvm[0]; i++)
    if (strcmp(of_tvm[i], text) == 0) return true;
  for (uint32_t i = 0; names->also && i < names->also->count; i++)
    if (strcmp(names->also->at[i], text) == 0) return true;
  return rlx_strmap_get(&names->taken, text, strlen(text), NULL);
}

void rlx_print_names_put(RlxPrintNames *names, const void *key, const char *text) {
  const RlxPrintName name = {key, rlx_mem_strdup(text), rlx_map_get_ptr(&names->texts, key)};
  uint64_t times = 0;
  rlx_strmap_get(&names->taken, text, strlen(text), &times);
  rlx_strmap_put(&names->taken, text, strlen(text), times + 1);
  rlx_map_put_ptr(&names->texts, key, name.text);
  rlx_vec_push(&names->list, name);
}

const char *rlx_print_names_define(RlxPrintNames *names, const void *key, const char *hint) {
  char text[300], base[256];
  snprintf(base, sizeof base, "%.250s", hint);
  snprintf(text, sizeof text, "%s", base);
  if (rlx_print_names_has(names, text)) {
    uint64_t number = 1;
    rlx_strmap_get(&names->tried, base, strlen(base), &number);
    for (;; number++) {
      snprintf(text, sizeof text, "%s_%llu", base, (unsigned long long)number);
      if (!rlx_print_names_has(names, text)) break;
    }
    if (!names->also || !names->also->count)
      rlx_strmap_put(&names->tried, base, strlen(base), number);
  }
  rlx_print_names_put(names, key, text);
  return rlx_vec_last(&names->list).text;
}

const char *rlx_print_names_get(const RlxPrintNames *names, const void *key) {
  return rlx_map_get_ptr(&names->texts, key);
}

/// The number behind a name gets free: its hint may be tried from there again.
static void free_number(RlxPrintNames *names, const char *text) {
  const char *number = strrchr(text, '_');
  uint64_t tried;
  if (!number || !rlx_strmap_get(&names->tried, text, (size_t)(number - text), &tried)) return;
  uint64_t freed = strtoull(number + 1, NULL, 10);
  if (freed && freed < tried) rlx_strmap_put(&names->tried, text, (size_t)(number - text), freed);
}

static void forget(RlxPrintNames *names, const RlxPrintName *name) {
  const size_t size = strlen(name->text);
  uint64_t times = 0;
  rlx_strmap_get(&names->taken, name->text, size, &times);
  if (times > 1)
    rlx_strmap_put(&names->taken, name->text, size, times - 1);
  else
    rlx_strmap_remove(&names->taken, name->text, size);
  free_number(names, name->text);
  if (rlx_map_get_ptr(&names->texts, name->key) == name->text) {
    if (name->outer)
      rlx_map_put_ptr(&names->texts, name->key, name->outer);
    else
      rlx_map_remove_ptr(&names->texts, name->key);
  }
  free(name->text);
}

void rlx_print_names_leave(RlxPrintNames *names, uint32_t mark,
                           bool (*keeps)(const void *key, const void *data), const void *data) {
  uint32_t kept = mark;
  for (uint32_t i = names->list.count; i > mark; i--) { // what shadows before what is shadowed
    RlxPrintName *name = &names->list.at[i - 1];
    if (keeps && keeps(name->key, data)) continue;
    forget(names, name);
    name->text = NULL;
  }
  for (uint32_t i = mark; i < names->list.count; i++)
    if (names->list.at[i].text) names->list.at[kept++] = names->list.at[i];
  names->list.count = kept;
}

void rlx_print_names_free(RlxPrintNames *names) {
  rlx_print_names_leave(names, 0, NULL, NULL);
  rlx_vec_free(&names->list);
  rlx_strmap_free(&names->taken);
  rlx_strmap_free(&names->tried);
  rlx_map_free(&names->texts);
}
