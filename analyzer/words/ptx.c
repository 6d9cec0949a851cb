/// The instructions of T.ptx in TVM 0.27, from the rows of ptx.def.
/// Source: PTXNamespace, _InstrChain and _emit in tvm/backend/cuda/ptx/engine.py of 0.27, and its
/// _coerce_… functions for the operands. The storage scope of a pointer and the numbers in the text
/// of an instruction are left to TVM.
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
#define RLX_PTX_DTYPES(letter, dtypes)
#include "analyzer/words/ptx.def"
#undef RLX_PTX
#undef RLX_PTX_DTYPES
};

/// Dtypes of registers, by the letter of the class.
static const char *const dtypes_of[128] = {
#define RLX_PTX(family, slots, operands, graph)
#define RLX_PTX_DTYPES(letter, dtypes) [letter] = dtypes,
#include "analyzer/words/ptx.def"
#undef RLX_PTX
#undef RLX_PTX_DTYPES
};

enum { FORMS = sizeof forms / sizeof *forms };

/// How far a call got with a form; what is further is a better reason. At an operand: AT_OPERAND and
/// its position.
enum { AT_WORD, AT_SLOT, AT_WORDS, AT_COUNT, AT_OPERAND, TAKEN = 1 << 20 };

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

/// An operand that a form wants.
typedef struct Wanted {
  char kind;          ///< the letter, small
  bool is_special;    ///< takes T.ptx.SINK or T.ptx.addr
  const char *dtypes; ///< of a register; else NULL
  uint32_t lanes;     ///< operands of the call that are one here
} Wanted;

/// Reads an operand of a list and steps over it; false: there is no more.
static bool next_wanted(const char **list, Wanted *out) {
  if (!**list || **list == '|') return false;
  const char letter = *(*list)++;
  out->kind = (char)tolower((unsigned char)letter);
  out->is_special = letter != out->kind;
  out->lanes = 1;
  const bool is_register = out->kind == 'r' || out->kind == 'w';
  out->dtypes = is_register ? dtypes_of[*(*list)++ & 127] : NULL;
  if (isdigit((unsigned char)**list)) {
    char *end;
    out->lanes = (uint32_t)strtoul(*list, &end, 10);
    *list = end;
  }
  return true;
}

static uint32_t operand_count(const char *operands) {
  uint32_t count = 0;
  for (Wanted wanted; next_wanted(&operands, &wanted);) count += wanted.lanes;
  return count;
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

static bool is_number(RlxPtxOperand given) {
  return given.kind == RLX_PTX_BOOL || given.kind == RLX_PTX_INT || given.kind == RLX_PTX_FLOAT;
}

static bool is_dtype(RlxPtxOperand given, const char *dtype) {
  return !given.dtype || strcmp(given.dtype, dtype) == 0;
}

static bool is_among(const char *words, const char *word) {
  return word_in(words, strlen(words), word) >= 0;
}

/// Whether `given` can be an address (`a`, `s`, `t`) or a pointer (`p`); else what it has to be.
static const char *wrong_address(const Wanted *wanted, RlxPtxOperand given) {
  const bool is_pointer = is_dtype(given, "handle") && !is_number(given);
  const bool is_given = !is_number(given);
  switch (wanted->kind) {
  case 'p': return is_pointer ? NULL : "has to be a pointer";
  case 't':
    return is_given && is_dtype(given, "uint32")
               ? NULL
               : "has to be a uint32: an address in tensor memory";
  case 's':
    return is_pointer || (is_given && is_dtype(given, "uint32"))
               ? NULL
               : "has to be a pointer, or a uint32: an address in shared memory";
  default:
    return is_pointer || (is_given && is_dtype(given, "uint64"))
               ? NULL
               : "has to be a pointer, or a uint64: an address that is not in shared memory";
  }
}

/// Whether `given` can be a predicate; else what it has to be.
static const char *wrong_predicate(const Wanted *wanted, RlxPtxOperand given) {
  if (wanted->kind == 'w')
    return is_dtype(given, "uint32") ? NULL
                                     : "has to be a uint32: it is a predicate that is written";
  if (given.kind == RLX_PTX_PREDICATE) {
    const bool fits = !given.dtype || is_among("bool uint32 int32", given.dtype);
    return fits ? NULL : "is a predicate: `T.ptx.pred` takes a bool, a uint32 or an int32";
  }
  const bool fits = given.kind == RLX_PTX_BOOL || (!is_number(given) && is_dtype(given, "bool"));
  return fits ? NULL : "is a predicate: a bool, or `T.ptx.pred(…)` of a number";
}

/// Whether `given` can be a number in the text of the instruction.
static bool may_be_text(RlxPtxOperand given) {
  if (given.kind == RLX_PTX_FLOAT || given.kind == RLX_PTX_BOOL) return false;
  return !given.dtype || strncmp(given.dtype, "int", 3) == 0 ||
         strncmp(given.dtype, "uint", 4) == 0 || strcmp(given.dtype, "bool") == 0;
}

/// The text in `why`; `given` apart from the dtypes that the other registers of a group have.
static bool fits(const Wanted *wanted, RlxPtxOperand given, uint32_t position, char *why) {
  const char *wrong = NULL;
  const bool is_register = wanted->dtypes != NULL, is_written = wanted->kind == 'w',
             is_address = !is_register && wanted->kind != 'i',
             is_predicate = is_register && strcmp(wanted->dtypes, "pred") == 0;
  if (given.kind == RLX_PTX_OFFSET && !(is_address && wanted->is_special))
    wrong = "takes no `T.ptx.addr`";
  else if (given.kind == RLX_PTX_SINK)
    wrong = is_register && wanted->is_special ? NULL : "takes no `T.ptx.SINK`";
  else if (given.kind == RLX_PTX_PREDICATE && !(is_predicate && !is_written))
    wrong = "is no predicate: it takes no `T.ptx.pred`";
  else if (is_written && given.kind != RLX_PTX_ANY)
    wrong = "is written, and nothing can be written to this value";
  else if (is_predicate)
    wrong = wrong_predicate(wanted, given);
  else if (is_address)
    wrong = wrong_address(wanted, given);
  else if (!is_register && !may_be_text(given))
    wrong = "is a number in the text of the instruction: an integer";
  else if (is_register && given.dtype && !is_among(wanted->dtypes, given.dtype)) {
    snprintf(why, RLX_PTX_TEXT_MAX, "operand %u is %s, and has to be one of: %s", position,
             given.dtype, wanted->dtypes);
    return false;
  }
  if (wrong) snprintf(why, RLX_PTX_TEXT_MAX, "operand %u %s", position, wrong);
  return !wrong;
}

/// What the registers of one operand have in common: one dtype, and that some is a register. A number of
/// Python becomes of that dtype, a float only of a float's. `first`: position of the first one.
static bool agree(const Wanted *wanted, const RlxPtxOperand *given, uint32_t first, char *why) {
  const char *dtype = NULL;
  bool is_known = true, is_sunk = wanted->lanes > 0;
  for (uint32_t i = 0; i < wanted->lanes; i++) {
    is_sunk &= given[i].kind == RLX_PTX_SINK;
    if (given[i].kind == RLX_PTX_SINK || is_number(given[i])) continue;
    is_known &= given[i].dtype != NULL;
    if (dtype && given[i].dtype && strcmp(dtype, given[i].dtype) != 0) {
      snprintf(why, RLX_PTX_TEXT_MAX,
               "operand %u is %s, and belongs to one group of registers with a %s", first + i,
               given[i].dtype, dtype);
      return false;
    }
    if (given[i].dtype) dtype = given[i].dtype;
  }
  if (is_sunk) {
    snprintf(why, RLX_PTX_TEXT_MAX, "operand %u: not all of a group can be `T.ptx.SINK`", first);
    return false;
  }
  const char *becomes = dtype ? dtype : wanted->dtypes;
  for (uint32_t i = 0; i < wanted->lanes && is_known; i++) {
    const bool is_float = given[i].kind == RLX_PTX_FLOAT && strncmp(becomes, "float", 5) != 0,
               is_below = given[i].is_negative && strncmp(becomes, "uint", 4) == 0;
    if (!is_float && !is_below) continue;
    snprintf(why, RLX_PTX_TEXT_MAX,
             "operand %u is a %s of Python, and becomes a %.*s: write its dtype, as `T.%s(…)`",
             first + i, is_float ? "float" : "negative number", (int)strcspn(becomes, " "), becomes,
             is_float ? "float32" : "int32");
    return false;
  }
  return true;
}

static int look_at_operands(const Call *call, const char *operands, char *why) {
  uint32_t wants = operand_count(operands);
  if (!call->operands) return TAKEN;
  if (wants != call->count) {
    snprintf(why, RLX_PTX_TEXT_MAX, "with these words it takes %u operand%s, %u given", wants,
             wants == 1 ? "" : "s", call->count);
    return AT_COUNT;
  }
  Wanted wanted;
  for (uint32_t at = 0; next_wanted(&operands, &wanted); at += wanted.lanes) {
    for (uint32_t i = at; i < at + wanted.lanes; i++)
      if (!fits(&wanted, call->operands[i], i + 1, why)) return AT_OPERAND + (int)i;
    const bool is_group = wanted.dtypes && strcmp(wanted.dtypes, "pred") != 0;
    if (is_group && !agree(&wanted, call->operands + at, at + 1, why)) return AT_OPERAND + (int)at;
  }
  return TAKEN;
}

static int try_form(const Form *form, const Call *call, char *why) {
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

RlxPtxKind rlx_ptx_special(const char *path, bool is_call) {
  if (!is_call) return strcmp(path, "ptx.SINK") == 0 ? RLX_PTX_SINK : RLX_PTX_ANY;
  return strcmp(path, "ptx.addr") == 0   ? RLX_PTX_OFFSET
         : strcmp(path, "ptx.pred") == 0 ? RLX_PTX_PREDICATE
                                         : RLX_PTX_ANY;
}

bool rlx_ptx_is_helper(const char *words) {
  return strcmp(words, "addr") == 0 || strcmp(words, "pred") == 0 || strcmp(words, "SINK") == 0;
}

bool rlx_ptx_takes(const char *path, const RlxPtxOperand *operands, uint32_t count,
                   char why[RLX_PTX_TEXT_MAX]) {
  char family[WORD_MOST], reason[RLX_PTX_TEXT_MAX];
  Call call = {path, operands, count};
  int best = -1;
  snprintf(why, RLX_PTX_TEXT_MAX, "there is none of this name");
  if (!next_word(&call.words, family)) return false;
  for (int i = first_form(family); i < FORMS && strcmp(forms[i].family, family) == 0; i++) {
    int stage = try_form(&forms[i], &call, reason);
    if (stage == TAKEN) return true;
    if (stage > best) memcpy(why, reason, sizeof reason);
    if (stage > best) best = stage;
  }
  return false;
}
