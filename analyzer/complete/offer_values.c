/// Offers of values: what a string may say, what an attribute can take, and parameters that are not
/// given yet.
#include <string.h>

#include "analyzer/ask/symbols.h"
#include "analyzer/complete/complete_impl.h"
#include "analyzer/syntax/stmt_text.h"
#include "analyzer/words/names.h"
#include "analyzer/words/vocabulary.h"

typedef enum Group {
  GROUP_NONE,
  GROUP_DTYPE,
  GROUP_SCOPE,
  GROUP_THREAD,
  GROUP_SIDE,
  GROUP_ANN_KEY,
  GROUP_RULE,
  GROUP_FUNC_ATTR,
  GROUP_PRIM_ATTR,
  GROUP_MODULE_ATTR,
  GROUP_DEVICE,
  GROUP_LAYOUT,
  GROUP_AXES,      ///< kinds of block variables, a letter each
  GROUP_DIMENSION, ///< symbolic variables
  GROUP_EXTERN,    ///< names of external functions
  GROUP_TYPE,      ///< StructInfo
  GROUP_ALLOWED,   ///< what the operator's row allows
} Group;

static const struct {
  uint8_t group;
  const char *what, *values, *meaning;
} rows[] = {
#define RLX_VALUES(what, values, meaning) {GROUP_##what, #what, values, meaning},
#include "analyzer/complete/values.def"
#undef RLX_VALUES
};

const char *rlx_offer_values(const char *what) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].what, what)) return rows[i].values;
  return "";
}

static const char *const word_params[][2] = {
#define RLX_WORD(id, path, params, call) {path, params},
#include "analyzer/words/words.def"
#undef RLX_WORD
};

/// What an argument is: of which call, at which parameter.
typedef struct Slot {
  Group group;
  const RlxOpParam *param; ///< of an operator, or NULL
  const char *quote;       ///< around values that are offered outside of a string
} Slot;

static bool span_is(const RlxComplete *c, RlxSpan span, const char *word) {
  size_t size = strlen(word);
  return span.end - span.start == size && !memcmp(c->cursor.text + span.start, word, size);
}

/// The parameter `name` at place `index` of the list "a b=, c": whether it is what the bracket's
/// argument is for.
static bool names_param(const RlxComplete *c, const RlxBracket *b, const char *params,
                        const char *wanted) {
  uint32_t index = 0;
  for (const char *at = params; *at; index++) {
    at += strspn(at, " ,*");
    size_t size = strcspn(at, " ,=|");
    if (!size) break;
    bool is_it = b->keyword.end ? b->keyword.end - b->keyword.start == size &&
                                      !memcmp(c->cursor.text + b->keyword.start, at, size)
                                : index == b->argument;
    if (is_it) return strlen(wanted) == size && !memcmp(at, wanted, size);
    at += size;
    at += strspn(at, "=");
  }
  return false;
}

static bool is_string(const RlxOpParam *p) { return p->kind == RLX_PARAM_STR; }

static Group of_operator(const RlxComplete *c, const RlxBracket *b, const RlxOpRow *row,
                         Slot *slot) {
  int at = -1;
  if (b->keyword.end) {
    const char *name = rlx_arena_strndup(c->out->arena, c->cursor.text + b->keyword.start,
                                         b->keyword.end - b->keyword.start);
    at = rlx_op_param(row, name);
    if (at < 0) at = rlx_op_later_param(row, name);
  }
  if (!b->keyword.end && b->argument < (uint32_t)row->param_count) at = (int)b->argument;
  if (at < 0) return GROUP_NONE;
  slot->param = &row->params[at];
  RlxParamKind kind = slot->param->kind;
  if (kind == RLX_PARAM_DTYPE) return GROUP_DTYPE;
  if (kind == RLX_PARAM_CALLEE) return GROUP_EXTERN;
  if (kind == RLX_PARAM_SINFO) return GROUP_TYPE;
  if (kind == RLX_PARAM_SHAPE || kind == RLX_PARAM_PRIM) return GROUP_DIMENSION;
  if (slot->param->allowed) return GROUP_ALLOWED;
  return is_string(slot->param) && slot->param->default_text ? GROUP_LAYOUT : GROUP_NONE;
}

static Group of_script_name(const RlxComplete *c, const RlxBracket *b, const char *name) {
  const RlxScriptName *row = rlx_complete_script_name(c, name);
  const char *params = row ? row->params : "";
  if (names_param(c, b, params, "dtype") || names_param(c, b, params, "dtype_str"))
    return GROUP_DTYPE;
  if (names_param(c, b, params, "scope") || names_param(c, b, params, "storage_scope"))
    return GROUP_SCOPE;
  const bool has_thread = names_param(c, b, params, "stop") && strstr(params, "thread");
  if (has_thread || names_param(c, b, params, "thread") || names_param(c, b, params, "thread_tag"))
    return GROUP_THREAD; // `T.thread_binding(8, "threadIdx.x")` has no end
  if (names_param(c, b, params, "kinds")) return GROUP_AXES;
  return names_param(c, b, params, "shape") ? GROUP_DIMENSION : GROUP_NONE;
}

static Group of_path(const RlxComplete *c, const RlxBracket *b, const char *path, Slot *slot) {
  uint32_t arg = b->keyword.end ? UINT32_MAX : b->argument;
  bool is_dtype = arg == 1 || span_is(c, b->keyword, "dtype");
  if (!strcmp(path, "R.Tensor") || !strcmp(path, "R.DTensor"))
    return arg == 0 || span_is(c, b->keyword, "shape") ? GROUP_DIMENSION
           : is_dtype                                  ? GROUP_DTYPE
                                                       : GROUP_NONE;
  if (!strcmp(path, "R.Shape") || !strcmp(path, "R.shape")) return GROUP_DIMENSION;
  if (!strcmp(path, "R.Prim"))
    return arg == 0 || span_is(c, b->keyword, "dtype") ? GROUP_DTYPE : GROUP_DIMENSION;
  if (!strcmp(path, "R.Tuple")) return GROUP_TYPE;
  if (!strcmp(path, "R.Callable"))
    return arg < 2 || span_is(c, b->keyword, "params") || span_is(c, b->keyword, "ret")
               ? GROUP_TYPE
               : GROUP_NONE;
  if (!strcmp(path, "R.dtype")) return GROUP_DTYPE;
  if (!strcmp(path, "R.ExternFunc")) return GROUP_EXTERN;
  if (!strcmp(path, "I.vdevice")) return arg == 0 ? GROUP_DEVICE : GROUP_NONE;
  if (!strcmp(path, "T.Ptr")) return GROUP_DTYPE;
  if (path[0] == 'R' && path[1] == '.') {
    const RlxOpRow *row = rlx_op_find(path + 2, strlen(path + 2));
    if (row) return of_operator(c, b, row, slot);
  }
  if (path[0] == 'T' && path[1] == '.') return of_script_name(c, b, path + 2);
  for (size_t i = 0; i < sizeof word_params / sizeof *word_params; i++)
    if (!strcmp(word_params[i][0], path))
      return names_param(c, b, word_params[i][1], "dtype") ? GROUP_DTYPE : GROUP_NONE;
  return GROUP_NONE;
}

/// Whether the keys of a dict there are annotations of a block or a loop.
static bool is_annotated(const RlxComplete *c, const RlxBracket *b, const char *path) {
  static const char *const blocks[] = {"T.sblock_attr", "T.block_attr"};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    if (!strcmp(path, blocks[i])) return true;
  return !strncmp(path, "T.", 2) && span_is(c, b->keyword, "annotations");
}

/// What the argument that the cursor stands in is.
static Slot slot_of(const RlxComplete *c) {
  Slot slot = {0};
  bool is_key = false;
  for (int i = c->cursor.depth; i-- > 0;) {
    const RlxBracket *b = &c->cursor.brackets[i];
    if (b->open == '{') {
      is_key = !b->has_colon;
      if (!is_key) return slot;
      continue;
    }
    if (b->callee.start == b->callee.end) continue; // a list, or a tuple, in an argument
    char path[96];
    if (!rlx_complete_path(c, b->callee, path, sizeof path)) return slot;
    if (is_key) {
      slot.group = !strcmp(path, "R.func_attr")      ? GROUP_FUNC_ATTR
                   : !strcmp(path, "T.func_attr")    ? GROUP_PRIM_ATTR
                   : !strcmp(path, "I.module_attrs") ? GROUP_MODULE_ATTR
                   : is_annotated(c, b, path)        ? GROUP_ANN_KEY
                                                     : GROUP_NONE;
      return slot;
    }
    slot.group = of_path(c, b, path, &slot);
    return slot;
  }
  return slot;
}

static void offer_values(RlxComplete *c, const char *list, char separator, RlxOfferKind kind,
                         const char *meaning, const char *quote) {
  uint32_t place = 0;
  for (const char *at = list; *at;) {
    const char *end = strchr(at, separator);
    size_t size = end ? (size_t)(end - at) : strlen(at);
    const char *label = rlx_arena_printf(c->out->arena, "%s%.*s%s", quote, (int)size, at, quote);
    if (size && (*quote || rlx_complete_fits(c, label))) {
      RlxOffer *offer = rlx_complete_offer(c, kind, label);
      offer->detail = meaning;
      offer->rank += place++;
    }
    at += size + (end != NULL);
  }
}

/// Whether one of the blank separated `values` stands quoted in `text`.
static bool is_among(const char *values, const char *text) {
  size_t size = strlen(text);
  if (size < 3 || (*text != '"' && *text != '\'')) return false;
  for (const char *at = values; *at;) {
    size_t n = strcspn(at, " ");
    if (n == size - 2 && !memcmp(at, text + 1, n)) return true;
    at += n;
    while (*at == ' ') at++;
  }
  return false;
}

/// So many names the statement gives to what its call makes: 2 of `vi, vj = T.axis.remap(`; 0: none.
static uint32_t count_targets(const RlxComplete *c) {
  const char *text = c->cursor.text;
  const uint32_t line = c->cursor.line;
  uint32_t end = c->cursor.depth ? c->cursor.brackets[0].callee.start : line, at = line, count = 0;
  for (bool is_target = true; at < end && text[at] != '='; at++) {
    is_target = is_target && text[at] != ':'; // an annotation
    count += is_target && rlx_symbol_is_word(text[at]) &&
             (at == line || !rlx_symbol_is_word(text[at - 1]));
  }
  return at < end ? count : 0;
}

/// A letter for each block variable: all words of as many letters as there are targets, where they
/// are few; else what is written with one letter more.
static void offer_axes(RlxComplete *c, const char *kinds, const char *meaning) {
  enum { FEW = 3 };
  RlxArena *arena = c->out->arena;
  const RlxSpan written = c->cursor.string;
  const uint32_t base = (uint32_t)strlen(kinds), targets = count_targets(c);
  const bool is_whole = targets && targets <= FEW;
  const uint32_t size = is_whole ? 0 : c->cursor.offset - written.start;
  const char *before = rlx_arena_strndup(arena, c->cursor.text + written.start, size);
  uint32_t words = 1;
  for (uint32_t i = 0; i < (is_whole ? targets : 1); i++) words *= base;
  RlxBuf list = {0};
  for (uint32_t word = 0; word < words; word++) {
    rlx_buf_puts(&list, before);
    for (uint32_t rest = word, place = words / base; place; rest %= place, place /= base)
      rlx_buf_putc(&list, kinds[rest / place]);
    rlx_buf_putc(&list, ' ');
  }
  offer_values(c, rlx_buf_text(&list), ' ', RLX_OFFER_VALUE, meaning, "");
  rlx_buf_free(&list);
}

static void offer_group(RlxComplete *c, const Slot *slot, const char *quote) {
  RlxOfferKind kind = slot->group == GROUP_DTYPE ? RLX_OFFER_DTYPE : RLX_OFFER_VALUE;
  bool is_new = c->dialect == RLX_DIALECT_025 || c->dialect == RLX_DIALECT_027;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool is_it = rows[i].group == slot->group;
    if (slot->group == GROUP_LAYOUT)
      is_it = is_it && is_among(rows[i].values, slot->param->default_text);
    if (!is_it) continue;
    if (slot->group == GROUP_AXES) {
      offer_axes(c, rows[i].values, rows[i].meaning);
      return;
    }
    uint32_t from = c->out->items.count;
    offer_values(c, rows[i].values, ' ', kind, rows[i].meaning, quote);
    for (uint32_t k = from; is_new && k < c->out->items.count; k++) {
      RlxOffer *offer = &c->out->items.at[k];
      const size_t size = strlen(quote);
      if (!strncmp(offer->label + size, "tir.", 4))
        offer->label = rlx_arena_printf(c->out->arena, "%stirx.%s", quote, offer->label + size + 4);
    }
    if (slot->group == GROUP_LAYOUT) break;
  }
}

/// External functions that the file calls elsewhere: what stands in quotes behind these.
static void offer_called(RlxComplete *c) {
  static const char *const calls[] = {"_packed(", "ExternFunc(", "with_ctx("};
  const char *text = c->cursor.text, *last = text + c->cursor.size;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    const size_t size = strlen(calls[i]);
    for (const char *at = text; (at = memmem(at, (size_t)(last - at), calls[i], size)) != NULL;) {
      at += size;
      const char quote = at < last ? *at : 0, *name = at + 1;
      if (quote != '"' && quote != '\'') continue;
      const char *end = memchr(name, quote, (size_t)(last - name));
      const bool is_here = name - text == (ptrdiff_t)c->cursor.word.start;
      if (!end || end == name || is_here || memchr(name, '\n', (size_t)(end - name))) continue;
      const char *label = rlx_arena_strndup(c->out->arena, name, (size_t)(end - name));
      if (rlx_complete_fits(c, label))
        rlx_complete_offer(c, RLX_OFFER_VALUE, label)->detail = "an external function of this file";
    }
  }
}

void rlx_offer_string(RlxComplete *c) {
  const RlxBracket *b = c->cursor.depth ? &c->cursor.brackets[c->cursor.depth - 1] : NULL;
  char path[96];
  if (b && b->open == '[' && rlx_complete_path(c, b->callee, path, sizeof path) &&
      rlx_offer_module(c, path))
    return; // Module["name"]
  Slot slot = slot_of(c);
  if (slot.group == GROUP_ALLOWED)
    offer_values(c, slot.param->allowed, '|', RLX_OFFER_VALUE, slot.param->meaning, "");
  else if (slot.group == GROUP_DIMENSION)
    rlx_offer_dimensions(c);
  else if (slot.group != GROUP_NONE) {
    if (slot.group == GROUP_EXTERN) offer_called(c);
    offer_group(c, &slot, "");
  }
}

/// The call whose parameters are offered, and the arguments that it has by name already.
typedef struct Given {
  const RlxBracket *call;
  RlxStrMap named;
} Given;

/// Where the call around the cursor ends at the latest: a bracket that nothing closes ends with its
/// statement, as the parser has it.
static uint32_t call_limit(const RlxComplete *c) {
  const uint32_t offset = c->cursor.offset;
  const RlxStmt *stmt = rlx_document_stmt_at(rlx_file_document(c->file), offset);
  const uint32_t line = rlx_next_line(c->cursor.text, c->cursor.size, offset);
  if (!stmt || stmt->start > offset) return line;
  const uint32_t end = stmt->start + (stmt->body ? stmt->head_size : stmt->size);
  return end > line ? end : line;
}

/// Notes `name=` at the places of the call where an argument starts; the word that is being written
/// does not count.
static Given given_in(const RlxComplete *c, const RlxBracket *b) {
  Given given = {.call = b};
  const char *text = c->cursor.text;
  int depth = 0;
  const uint32_t limit = call_limit(c);
  for (uint32_t i = b->at + 1, end; i < limit; i = end) {
    end = i + 1;
    if (strchr("([{", text[i]) && text[i])
      depth++;
    else if (strchr(")]}", text[i]) && text[i] && depth-- == 0)
      break;
    bool starts = !depth && rlx_symbol_is_word(text[i]) && strchr("(, \n\t", text[i - 1]) != NULL;
    if (!starts || i == c->cursor.word.start) continue;
    while (end < c->cursor.size && rlx_symbol_is_word(text[end])) end++;
    uint32_t sign = end;
    while (text[sign] == ' ') sign++;
    if (text[sign] == '=' && text[sign + 1] != '=')
      rlx_strmap_put(&given.named, text + i, end - i, 1);
  }
  return given;
}

static void offer_parameter(RlxComplete *c, const Given *given, const char *name, uint32_t index,
                            const char *meaning) {
  bool is_given =
      index < given->call->placed || rlx_strmap_get(&given->named, name, strlen(name), NULL);
  if (is_given || !rlx_complete_fits(c, name)) return;
  const char *label = rlx_arena_printf(c->out->arena, "%s=", name);
  RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_PARAMETER, label);
  offer->detail = meaning;
  offer->rank += (index < 50 ? index : 50) + 1000;
}

/// Parameters of a list as Python writes it: "a, b=, *, c=".
static void offer_listed(RlxComplete *c, const Given *given, const char *params) {
  uint32_t index = 0;
  for (const char *at = params; *at && *at != '|'; index++) {
    at += strspn(at, " ,");
    if (*at == '*') { // a rest, or the mark before keywords
      at += strcspn(at, ",");
      continue;
    }
    size_t size = strcspn(at, " ,=|");
    if (!size) break;
    offer_parameter(c, given, rlx_arena_strndup(c->out->arena, at, size), index, NULL);
    at += size;
    at += strcspn(at, ",|"); // what it is when it is left out
  }
}

/// The parameters that the vocabulary tells of a word ("@R.function(private=False, pure=True)").
static void offer_told(RlxComplete *c, const Given *given, const char *path) {
  const RlxVocabularyRow *row = rlx_vocabulary_row(path);
  const char *open = row ? strchr(row->usage, '(') : NULL;
  if (!open || *row->usage != '@') return;
  offer_listed(c, given, rlx_arena_strndup(c->out->arena, open + 1, strcspn(open + 1, ")")));
}

/// True and False behind `private=` of a decorator.
static void offer_flags(RlxComplete *c, const RlxBracket *b, const char *path) {
  const RlxVocabularyRow *row = rlx_vocabulary_row(path);
  if (!row || *row->usage != '@') return;
  const bool is_prim_func = !strcmp(path, "T.prim_func") && !span_is(c, b->keyword, "func");
  const char *name = rlx_arena_printf(c->out->arena, "%s=", rlx_complete_text(c, b->keyword));
  const char *at = strstr(row->usage, name);
  const char *value = at ? at + strlen(name) : "";
  if (is_prim_func || !strncmp(value, "True", 4) || !strncmp(value, "False", 5))
    offer_values(c, "True False", ' ', RLX_OFFER_VALUE, "of the decorator", "");
}

/// Values that the row of an attribute names, where no string is open yet.
static void offer_literals(RlxComplete *c, const Slot *slot) {
  if (slot->group == GROUP_ALLOWED)
    offer_values(c, slot->param->allowed, '|', RLX_OFFER_VALUE, slot->param->meaning, "\"");
  else if (slot->group == GROUP_DTYPE || slot->group == GROUP_LAYOUT ||
           slot->group == GROUP_SCOPE || slot->group == GROUP_THREAD)
    offer_group(c, slot, "\"");
  const RlxOpParam *p = slot->param;
  if (!p) return;
  if (p->kind == RLX_PARAM_BOOL) {
    offer_values(c, "True False", ' ', RLX_OFFER_VALUE, p->meaning, "");
  } else if (p->is_nullable || (p->default_text && !strcmp(p->default_text, "None"))) {
    offer_values(c, "None", ' ', RLX_OFFER_VALUE, p->meaning, "");
  }
}

/// Parameters of the function, operator or class `path`.
static void offer_of_callee(RlxComplete *c, const Given *given, const char *path) {
  const RlxOpRow *row =
      path[0] == 'R' && path[1] == '.' ? rlx_op_find(path + 2, strlen(path + 2)) : NULL;
  for (int i = 0; row && i < row->param_count; i++)
    if (!row->params[i].is_variadic)
      offer_parameter(c, given, row->params[i].name, (uint32_t)i, row->params[i].meaning);
  if (row) return;
  offer_told(c, given, path);
  if (path[0] == 'T' && path[1] == '.') {
    const RlxScriptName *name = rlx_complete_script_name(c, path + 2);
    if (name && name->how != RLX_SCRIPT_OTHER) offer_listed(c, given, name->params);
    return;
  }
  for (size_t i = 0; i < sizeof word_params / sizeof *word_params; i++)
    if (!strcmp(word_params[i][0], path)) {
      RlxBuf list = {0};
      for (const char *at = word_params[i][1]; *at && *at != '|'; at++)
        rlx_buf_puts(&list, *at == ' ' ? ", " : (char[]){*at, 0});
      offer_listed(c, given, rlx_buf_text(&list));
      rlx_buf_free(&list);
      return;
    }
  const RlxFn *fn = rlx_complete_function(c, given->call->callee);
  const RlxParams taken = fn ? rlx_taken_params(fn->stmt) : (RlxParams){0};
  for (uint32_t i = 0; i < taken.count; i++)
    offer_parameter(c, given, rlx_store_text(c->store, taken.at[i].name), i, NULL);
}

/// What the names in the argument behind the callee are, which ends at `at`: of `(x, y)` or of `x`. Returns their number; what is no name of
/// a variable is a tensor of which nothing is known.
static int read_inputs(RlxComplete *c, uint32_t at, const RlxSInfo **out, int capacity) {
  const char *text = c->cursor.text;
  const uint32_t end = c->cursor.offset;
  int count = 0, depth = 0;
  while (at < end && strchr(" \t\r\n,", text[at])) at++;
  if (end - at > 5 && !memcmp(text + at, "args=", 5)) at += 5;
  const bool is_list = at < end && text[at] == '(';
  for (at += is_list; at < end && count < capacity; at++) {
    while (at < end && strchr(" \t\r\n", text[at])) at++;
    const uint32_t start = at;
    for (; at < end && (depth || !strchr(",)", text[at])); at++)
      depth += !!strchr("([", text[at]) - !!strchr(")]", text[at]);
    if (at == start) break;
    const RlxSInfo *known = rlx_scope_sinfo(c, rlx_span(start, at));
    out[count++] = known ? known : rlx_sinfo_tensor_ndim(c->store, -1, rlx_dtype_unknown(), NULL);
    if (!is_list || at >= end || text[at] == ')') break;
  }
  return count;
}

/// What the last buffer of the PrimFunc is in a call with these arguments. NULL: they do not say it.
static const RlxSInfo *result_of(RlxComplete *c, const RlxFn *fn, uint32_t behind_callee) {
  enum { MOST = 16 };
  const RlxSInfo *func = fn->function.sinfo, *declared = rlx_complete_result(fn), *inputs[MOST];
  if (!declared) return NULL;
  const int count = read_inputs(c, behind_callee, inputs, MOST);
  if (count >= func->count) return NULL;
  const RlxSInfo *front =
      rlx_sinfo_func(c->store, func->params, count, declared, (RlxPurity)func->purity, 0);
  const RlxSInfo *made = rlx_sinfo_derive_call(c->store, NULL, front, inputs, count, NULL, NULL);
  return made->kind == RLX_SINFO_TENSOR && made->dims ? made : NULL;
}

/// What the PrimFunc gives that a call before the cursor passes its arguments to.
static void offer_result(RlxComplete *c) {
  const RlxBracket *b = NULL;
  char path[96];
  for (int i = c->cursor.depth; i-- > 0 && !b;)
    if (c->cursor.brackets[i].callee.end > c->cursor.brackets[i].callee.start)
      b = &c->cursor.brackets[i];
  if (!b || !rlx_complete_path(c, b->callee, path, sizeof path) || strncmp(path, "R.call_", 7) != 0)
    return;
  uint32_t start = b->at + 1, end;
  while (start < c->cursor.offset && strchr(" \t\r\n", c->cursor.text[start])) start++;
  for (end = start; end < c->cursor.offset; end++)
    if (!rlx_symbol_is_word(c->cursor.text[end]) && c->cursor.text[end] != '.') break;
  const RlxFn *fn = rlx_complete_function(c, rlx_span(start, end));
  const RlxSInfo *result = fn ? result_of(c, fn, end) : NULL;
  if (!result) return;
  RlxBuf text = {0};
  rlx_sinfo_tell(c->store, result, &text);
  RlxOffer *offer =
      rlx_complete_offer(c, RLX_OFFER_TYPE, rlx_complete_own_words(c, rlx_buf_text(&text)));
  offer->detail = "what this PrimFunc gives";
  rlx_buf_free(&text);
}

bool rlx_offer_is_binding(const RlxComplete *c) {
  for (int i = c->cursor.depth; i-- > 0;) {
    const RlxBracket *b = &c->cursor.brackets[i];
    char path[96];
    if (b->callee.start == b->callee.end) continue;
    return rlx_complete_path(c, b->callee, path, sizeof path) && !strncmp(path, "T.axis.", 7) &&
           (b->argument == 1 || span_is(c, b->keyword, "binding") ||
            span_is(c, b->keyword, "bindings"));
  }
  return false;
}

bool rlx_offer_is_dimension(const RlxComplete *c) {
  const Slot slot = slot_of(c);
  return slot.group == GROUP_DIMENSION && !slot.param;
}

bool rlx_offer_struct_info(RlxComplete *c) {
  if (slot_of(c).group != GROUP_TYPE) return false;
  if (c->cursor.path.start == c->cursor.path.end) offer_result(c);
  return true;
}

void rlx_offer_parameters(RlxComplete *c) {
  const RlxBracket *b = c->cursor.depth ? &c->cursor.brackets[c->cursor.depth - 1] : NULL;
  Slot slot = slot_of(c);
  if (slot.group == GROUP_DIMENSION) rlx_offer_dimensions(c);
  if (b && b->open == '{' && !b->has_colon) offer_group(c, &slot, "\"");
  if (!b || b->open != '(' || b->callee.start == b->callee.end || b->is_def) return;
  offer_literals(c, &slot);
  char path[96];
  if (!rlx_complete_path(c, b->callee, path, sizeof path)) return;
  if (b->keyword.end) {
    offer_flags(c, b, path);
    return;
  }
  Given given = given_in(c, b);
  offer_of_callee(c, &given, path);
  rlx_strmap_free(&given.named);
}
