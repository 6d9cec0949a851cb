/// The instructions of T.ptx in TVM 0.27, from the rows of ptx.def.
/// Source: PTXNamespace, _InstrChain and _emit in tvm/backend/cuda/ptx/engine.py of 0.27. What depends
/// on the dtypes of operands is left to TVM.
#include "analyzer/words/ptx.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS_MOST = 16, WORD_MOST = 64 };

typedef struct Form {
  const char *family, *slots, *operands, *graph;
} Form;

static const Form forms[] = {
#define RLX_PTX(family, slots, operands, graph) {family, slots, operands, graph},
#include "analyzer/words/ptx.def"
#undef RLX_PTX
};

enum { FORMS = sizeof forms / sizeof *forms };

/// How far a call got with a form; what is further is a better reason.
typedef enum Stage { AT_WORD, AT_SLOT, AT_WORDS, AT_COUNT, AT_OPERAND, TAKEN } Stage;

/// Item `at` of a list; its size in `*size`. NULL: the list is shorter.
static const char *item(const char *list, char separator, int at, size_t *size) {
  const char separators[] = {separator, 0};
  for (; at > 0; at--) {
    list += strcspn(list, separators);
    if (!*list++) return NULL;
  }
  *size = strcspn(list, separators);
  return list;
}

/// Position of `word` among a slot's words, from 0 on; -1: the slot does not list it.
static int word_in(const char *words, size_t size, const char *word) {
  size_t want = strlen(word);
  int at = 0;
  for (const char *end = words + size; words < end; at++) {
    size_t n = strcspn(words, " |");
    if (n == want && memcmp(words, word, n) == 0) return at;
    words += n + 1;
  }
  return -1;
}

/// A form while its slots are being filled.
typedef struct Filling {
  const Form *form;
  int count;              ///< slots
  int chosen[SLOTS_MOST]; ///< the word of each, -1: empty
} Filling;

static int slot_count(const Form *form) {
  int count = *form->slots != 0;
  for (const char *p = form->slots; *p; p++) count += *p == '|';
  return count < SLOTS_MOST ? count : SLOTS_MOST;
}

/// The words of a slot, with their size; its name's size in `*name` (it stands before), and whether
/// it may stay empty in `*is_optional`.
static const char *slot_words(const Form *form, int at, size_t *size, size_t *name,
                              bool *is_optional) {
  const char *slot = item(form->slots, '|', at, size), *words = strchr(slot, '=') + 1;
  *is_optional = words[-2] == '?';
  *name = (size_t)(words - slot) - 1 - *is_optional;
  *size -= (size_t)(words - slot);
  return words;
}

static bool fill(Filling *f, const char *word) {
  for (int i = 0; i < f->count; i++) {
    size_t size, name;
    bool is_optional;
    const char *words = slot_words(f->form, i, &size, &name, &is_optional);
    if (f->chosen[i] >= 0 || (f->chosen[i] = word_in(words, size, word)) < 0) continue;
    return true;
  }
  return false;
}

/// The first slot that has to be filled and is not; -1: none.
static int empty_slot(const Filling *f) {
  for (int i = 0; i < f->count; i++) {
    size_t size, name;
    bool is_optional;
    slot_words(f->form, i, &size, &name, &is_optional);
    if (f->chosen[i] < 0 && !is_optional) return i;
  }
  return -1;
}

/// Number `at` of a node ("3*2,-" is 3, 3, -); -1 for `-`.
static int number_in(const char *node, int at) {
  while (true) {
    int value = -1, times = 1;
    char *end = NULL;
    if (*node == '-')
      node++;
    else
      value = (int)strtol(node, &end, 10), node = end;
    if (*node == '*') times = (int)strtol(node + 1, &end, 10), node = end;
    if (at < times) return value;
    at -= times;
    if (*node++ != ',') return -1;
  }
}

/// The operands that the chosen words want; NULL: they do not go together.
static const char *operands_of(const Filling *f) {
  size_t size, name;
  int at = 0;
  if (f->count == 0) at = number_in(f->form->graph, 0);
  for (int i = 0; i < f->count; i++) {
    bool is_optional;
    slot_words(f->form, i, &size, &name, &is_optional);
    const char *node = item(f->form->graph, ' ', at, &size);
    at = node ? number_in(node, f->chosen[i] + is_optional) : -1;
    if (at < 0) return NULL;
  }
  return at < 0 ? NULL : item(f->form->operands, '|', at, &size);
}

static uint32_t operand_count(const char *operands) {
  uint32_t count = 0;
  while (*operands && *operands != '|') {
    char *end = NULL;
    count += isdigit((unsigned char)*++operands) ? (uint32_t)strtoul(operands, &end, 10) : 1;
    if (end) operands = end;
  }
  return count;
}

/// The kind of operand `at`.
static char operand_kind(const char *operands, uint32_t at) {
  for (uint32_t first = 0;;) {
    char kind = *operands++, *end = NULL;
    first += isdigit((unsigned char)*operands) ? (uint32_t)strtoul(operands, &end, 10) : 1;
    if (end) operands = end;
    if (at < first) return kind;
  }
}

/// Copies the next word of a path and steps over it; false: there is none.
static bool next_word(const char **path, char word[WORD_MOST]) {
  if (!**path) return false;
  size_t size = strcspn(*path, "."), n = 0;
  for (size_t i = 0; i < size && n + 1 < WORD_MOST; i++) {
    bool is_pair = i + 1 < size && (*path)[i] == '_' && (*path)[i + 1] == '_';
    word[n++] = is_pair ? ':' : (*path)[i];
    if (is_pair && n + 1 < WORD_MOST) word[n++] = ':', i++;
  }
  if (n > 1 && word[n - 1] == '_') n--; // a word of Python's has `_` behind it
  word[n] = 0;
  *path += size + ((*path)[size] == '.');
  return true;
}

typedef struct Call {
  const char *words; ///< of the path, behind the family
  const RlxPtxOperand *operands;
  uint32_t count;
} Call;

static Stage look_at_operands(const Call *call, const char *operands, char *why) {
  uint32_t wants = operand_count(operands);
  if (!call->operands) return TAKEN;
  if (wants != call->count) {
    snprintf(why, RLX_PTX_TEXT_MAX, "with these words it takes %u operand%s, %u given", wants,
             wants == 1 ? "" : "s", call->count);
    return AT_COUNT;
  }
  for (uint32_t i = 0; i < wants; i++) {
    char kind = operand_kind(operands, i);
    bool has_offset = call->operands[i] == RLX_PTX_OFFSET;
    if (has_offset && kind != 'o')
      snprintf(why, RLX_PTX_TEXT_MAX, "operand %u takes no `T.ptx.addr`", i + 1);
    else if (call->operands[i] == RLX_PTX_VALUE && kind == 'w')
      snprintf(why, RLX_PTX_TEXT_MAX,
               "operand %u is written, and nothing can be written to this value", i + 1);
    else
      continue;
    return AT_OPERAND;
  }
  return TAKEN;
}

static Stage try_form(const Form *form, const Call *call, char *why) {
  Filling f = {.form = form, .count = slot_count(form)};
  char word[WORD_MOST];
  for (int i = 0; i < SLOTS_MOST; i++) f.chosen[i] = -1;
  for (const char *words = call->words; next_word(&words, word);) {
    if (fill(&f, word)) continue;
    snprintf(why, RLX_PTX_TEXT_MAX, "`%s` is no word of it, or not here", word);
    return AT_WORD;
  }
  int empty = empty_slot(&f);
  if (empty >= 0) {
    size_t size, name;
    bool is_optional;
    const char *words = slot_words(form, empty, &size, &name, &is_optional),
               *slot = words - 1 - name - is_optional;
    snprintf(why, RLX_PTX_TEXT_MAX, "a word for `%.*s` is missing: %.*s", (int)name, slot,
             (int)(size < 80 ? size : 80), words);
    return AT_SLOT;
  }
  const char *operands = operands_of(&f);
  if (operands) return look_at_operands(call, operands, why);
  snprintf(why, RLX_PTX_TEXT_MAX, "these words do not go together");
  return AT_WORDS;
}

static int first_form(const char *family) {
  int low = 0, high = FORMS;
  while (low < high) {
    int middle = (low + high) / 2;
    if (strcmp(forms[middle].family, family) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool rlx_ptx_takes(const char *path, const RlxPtxOperand *operands, uint32_t count,
                   char why[RLX_PTX_TEXT_MAX]) {
  char family[WORD_MOST], reason[RLX_PTX_TEXT_MAX];
  Call call = {path, operands, count};
  int best = -1;
  snprintf(why, RLX_PTX_TEXT_MAX, "there is none of this name");
  if (!next_word(&call.words, family)) return false;
  for (int i = first_form(family); i < FORMS && strcmp(forms[i].family, family) == 0; i++) {
    int stage = (int)try_form(&forms[i], &call, reason);
    if (stage == TAKEN) return true;
    if (stage > best) memcpy(why, reason, sizeof reason);
    if (stage > best) best = stage;
  }
  return false;
}
