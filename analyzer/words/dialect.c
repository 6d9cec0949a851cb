/// Reads the table of spellings (dialects.def), recognises the dialect of an island, and reports
/// what another dialect spells.
#include "analyzer/words/dialect.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/words/script_names.h"
#include "analyzer/words/spell.h"
#include "base/text.h"

static const RlxSpellingRow rows[] = {
#define RLX_DIALECT_ROW(id, kind, weight, tlc, classic, v025, v027, meaning)                       \
  {#id,                                                                                            \
   RLX_SPELLING_##kind,                                                                            \
   weight,                                                                                         \
   {[RLX_DIALECT_TLC] = tlc,                                                                       \
    [RLX_DIALECT_CLASSIC] = classic,                                                               \
    [RLX_DIALECT_025] = v025,                                                                      \
    [RLX_DIALECT_027] = v027},                                                                     \
   meaning},
#include "analyzer/words/dialects.def"
#undef RLX_DIALECT_ROW
};

const RlxSpellingRow *rlx_spelling_row(RlxSpellingId id) { return &rows[id]; }

RlxSInfoStyle rlx_dialect_sinfo_style(RlxDialect dialect) {
  return (RlxSInfoStyle){.object = rlx_spelling_row(RLX_SPELLING_OBJECT)->cells[dialect],
                         .hides_prim_values = dialect == RLX_DIALECT_027};
}

static const char *const names[RLX_DIALECT_COUNT] = {[RLX_DIALECT_CLASSIC] = "classic",
                                                     [RLX_DIALECT_025] = "0.25",
                                                     [RLX_DIALECT_027] = "0.27",
                                                     [RLX_DIALECT_TLC] = "tlc-pack"};

const char *rlx_dialect_name(RlxDialect dialect) { return names[dialect]; }

bool rlx_dialect_parse(const char *text, RlxDialect *out) {
  if (!text) return false;
  for (int i = 0; i < RLX_DIALECT_COUNT; i++)
    if (strcmp(names[i], text) == 0) return *out = (RlxDialect)i, true;
  char *end = NULL;
  if (strncmp(text, "0.", 2) != 0) return false;
  long release = strtol(text + 2, &end, 10);
  if (end == text + 2 || *end || release < 12) return false;
  *out = release < 24 ? RLX_DIALECT_CLASSIC : release < 26 ? RLX_DIALECT_025 : RLX_DIALECT_027;
  return true;
}

static unsigned dialects_with(const RlxSpellingRow *row, const char *word, RlxDialect *first) {
  unsigned bits = 0;
  const size_t size = strlen(word);
  for (int d = RLX_DIALECT_COUNT; d-- > 0;)
    if (rlx_text_find_word(row->cells[d], word, size)) bits |= 1u << d, *first = (RlxDialect)d;
  return bits;
}

unsigned rlx_spelling_dialects(const char *path) {
  RlxDialect first;
  for (int i = 0; i < RLX_SPELLING_COUNT; i++) {
    if (rows[i].kind == RLX_SPELLING_FORM) continue;
    unsigned bits = dialects_with(&rows[i], path, &first);
    if (bits) return bits;
  }
  return 0;
}

static void note_dialects(RlxStrMap *map) {
  for (int i = 0; i < RLX_SPELLING_COUNT; i++) {
    for (int d = 0; d < RLX_DIALECT_COUNT && rows[i].kind != RLX_SPELLING_FORM; d++) {
      const char *cell = rows[i].cells[d];
      for (size_t n = 0; *cell; cell += n + (cell[n] == ' ')) {
        n = strcspn(cell, " ");
        uint64_t known = (uint64_t)i << 8;
        rlx_strmap_get(map, cell, n, &known);
        if (known >> 8 == (uint64_t)i) // the first row speaks of it
          rlx_strmap_put(map, cell, n, known | 1u << d);
      }
    }
  }
}

unsigned rlx_words_dialects(RlxWords *words, const char *path) {
  uint64_t known = 0;
  if (!words->dialects.count) note_dialects(&words->dialects);
  rlx_strmap_get(&words->dialects, path, strlen(path), &known);
  return (unsigned)(known & 0xff);
}

/// The dialects whose cell of a FORM says the same as that of `form`.
static unsigned dialects_like(const RlxSpellingRow *row, RlxDialect form) {
  unsigned bits = 0;
  for (int d = 0; d < RLX_DIALECT_COUNT; d++)
    if (strcmp(row->cells[d], row->cells[form]) == 0) bits |= 1u << d;
  return bits;
}

// ---- what stands in a statement

typedef struct Walk {
  RlxWords *words;
  const RlxStore *store;
  const RlxStmt *stmt;
  void (*each)(const RlxSpelled *spelled, void *data);
  void *data;
  unsigned marks; // RlxSpellingMarks that were seen
} Walk;

static void form(Walk *w, RlxSpellingId id, RlxDialect has, const RlxAst *ast, const RlxAst *parent,
                 RlxSpan span) {
  RlxSpelled found = {.id = id,
                      .form = has,
                      .dialects = dialects_like(&rows[id], has),
                      .ast = ast,
                      .parent = parent,
                      .span = span};
  if (id == RLX_SPELLING_VOID_DTYPE) found.taken_by = 1u << RLX_DIALECT_027; // a dtype of its own
  if (id == RLX_SPELLING_ATTR_KEY) // TVM takes any, and looks for its own
    found.taken_by = ((1u << RLX_DIALECT_COUNT) - 1) & ~found.dialects;
  w->each(&found, w->data);
}

const char *rlx_spelling_root(const char *name) {
  static const char *const roots[][2] = {{"R", "R"},   {"relax", "R"}, {"rx", "R"}, {"T", "T"},
                                         {"tir", "T"}, {"tirx", "T"},  {"Tx", "T"}, {"I", "I"},
                                         {"ir", "I"},  {"nn", "R.nn"}};
  for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
    if (strcmp(roots[i][0], name) == 0) return roots[i][1];
  return NULL;
}

bool rlx_spelling_path(const RlxStore *store, const RlxAst *ast, char *out, size_t capacity,
                       const char **out_head) {
  const char *parts[8];
  int count = 0;
  for (; ast->kind == RLX_AST_ATTRIBUTE && count < 8; ast = ast->children[0])
    parts[count++] = rlx_store_text(store, ast->name);
  if (ast->kind != RLX_AST_NAME || !count) return false;
  const char *head = rlx_store_text(store, ast->name), *root = rlx_spelling_root(head);
  if (!root) return false;
  if (out_head) *out_head = head;
  size_t used = strlen(root);
  memcpy(out, root, used);
  while (count-- > 0) {
    size_t n = strlen(parts[count]);
    if (used + n + 2 > capacity) return false;
    out[used++] = '.';
    memcpy(out + used, parts[count], n);
    used += n;
  }
  out[used] = 0;
  return true;
}

static bool is_annotation_word(const char *text) {
  static const char *const words[] = {"Tensor", "Shape", "Tuple",     "Callable",
                                      "Object", "Prim",  "DynTensor", "Void"};
  if (*text < 'C' || *text > 'V') return false; // most names
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(words[i], text) == 0) return true;
  return false;
}

static bool is_dtype_short(const RlxAst *ast) {
  static const char *const shorts[] = {"f16", "f32", "f64", "i8", "i16", "i32", "i64", "u8"};
  if (ast->kind != RLX_AST_STRING) return false;
  for (size_t i = 0; i < sizeof shorts / sizeof shorts[0]; i++)
    if (strcmp(shorts[i], ast->text) == 0) return true;
  return false;
}

bool rlx_spelling_is_old_float8(const char *text) {
  static const char *const olds[] = {"e4m3_float8", "e5m2_float8"};
  for (size_t i = 0; i < sizeof olds / sizeof *olds; i++) {
    const size_t size = strlen(olds[i]);
    if (strncmp(text, olds[i], size) == 0 && (!text[size] || text[size] == 'x')) return true;
  }
  return false;
}

static bool is_word(const Walk *w, const RlxAst *ast, const char *word) {
  return (ast->kind == RLX_AST_ATTRIBUTE || ast->kind == RLX_AST_NAME) &&
         strcmp(rlx_store_text(w->store, ast->name), word) == 0;
}

static const RlxAst *keyword_of(const Walk *w, const RlxAst *call, const char *name) {
  for (uint32_t i = 1; i < call->child_count; i++)
    if (call->children[i]->kind == RLX_AST_KEYWORD &&
        strcmp(rlx_store_text(w->store, call->children[i]->name), name) == 0)
      return call->children[i];
  return NULL;
}

static bool is_shape_like(const RlxAst *ast) {
  return ast->kind == RLX_AST_TUPLE || ast->kind == RLX_AST_LIST;
}

static const RlxAst *positional(const RlxAst *call, uint32_t at) {
  const RlxAst *arg = at + 1 < call->child_count ? call->children[at + 1] : NULL;
  return arg && arg->kind != RLX_AST_KEYWORD && arg->kind != RLX_AST_STARRED &&
                 arg->kind != RLX_AST_DOUBLE_STARRED
             ? arg
             : NULL;
}

/// What a call says of the year: siblings had bare names before, and packed functions stood in
/// R.call_tir.
static void mark_call(Walk *w, const RlxAst *call, const char *path) {
  const RlxAst *first = positional(call, 0);
  if (strcmp(path, "R.call_tir") == 0 && first)
    w->marks |= first->kind == RLX_AST_NAME || first->kind == RLX_AST_STRING ? RLX_SPELLING_EARLY
                : first->kind == RLX_AST_ATTRIBUTE                           ? RLX_SPELLING_LATER
                                                                             : 0;
  if (strcmp(path, "R.call_dps_packed") == 0 || strcmp(path, "R.call_pure_packed") == 0 ||
      strcmp(path, "R.function") == 0) // with pure=, private=
    w->marks |= RLX_SPELLING_LATER;
}

/// An R call whose keywords or arguments differ.
/// Keywords that not all dialects have.
static void look_at_keywords(Walk *w, const RlxAst *call, const char *path) {
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind != RLX_AST_KEYWORD) continue;
    const char *name = rlx_store_text(w->store, arg->name);
    uint64_t is_spoken_of = 1; // until the rows were asked
    if (rlx_map_get(&w->words->spelled_keywords, arg->name, &is_spoken_of) && !is_spoken_of)
      continue;
    is_spoken_of = 0;
    for (int id = 0; id < RLX_SPELLING_COUNT; id++) {
      if (rows[id].kind != RLX_SPELLING_KEYWORD) continue;
      RlxDialect first = RLX_DIALECT_025;
      unsigned bits = dialects_with(&rows[id], name, &first);
      RlxSpelled found = {.id = (RlxSpellingId)id,
                          .form = first,
                          .dialects = bits,
                          .ast = arg,
                          .parent = call,
                          .span = arg->name_span,
                          .word = name};
      if (!bits) continue;
      is_spoken_of = 1;
      if (id == RLX_SPELLING_SINFO_ARGS && strcmp(path, "R.call_packed") == 0)
        found.taken_by = 1u << RLX_DIALECT_025 | 1u << RLX_DIALECT_027; // an attribute
      w->each(&found, w->data);
    }
    rlx_map_put(&w->words->spelled_keywords, arg->name, is_spoken_of);
  }
}

/// R.call_tir and R.call_dps of 2021 and 2022: the shape before the arguments, the dtype apart, a PrimFunc by
/// its name.
static void look_at_call_tir(Walk *w, const RlxAst *call, const char *path, const RlxAst *parent) {
  const RlxAst *first = positional(call, 0), *second = positional(call, 1),
               *third = positional(call, 2), *dtype = keyword_of(w, call, "dtype");
  bool shape_first = strcmp(path, "R.call_dps") == 0 ||
                     (first && second && (is_shape_like(first) || second->kind == RLX_AST_STRING));
  if (shape_first && first && second && third)
    form(w, RLX_SPELLING_SHAPE_FIRST, RLX_DIALECT_TLC, call, parent, first->span);
  else if (dtype && third)
    form(w, RLX_SPELLING_CALL_TIR, RLX_DIALECT_TLC, call, parent, dtype->name_span);
  else if (first && first->kind == RLX_AST_STRING)
    form(w, RLX_SPELLING_CALL_TIR_NAME, RLX_DIALECT_TLC, call, parent, call->children[0]->span);
}

/// R.Tensor whose dimensions are strings, or numbers alone.
static void look_at_tensor(Walk *w, const RlxAst *call, const RlxAst *parent) {
  const RlxAst *shape = positional(call, 0);
  bool has_string = false, has_name = shape && shape->kind == RLX_AST_NAME;
  for (uint32_t i = 0; shape && is_shape_like(shape) && i < shape->child_count; i++) {
    const uint8_t kind = shape->children[i]->kind;
    has_string |= kind == RLX_AST_STRING;
    has_name |= kind == RLX_AST_NAME || kind == RLX_AST_BINARY;
  }
  const RlxAst *rank = keyword_of(w, call, "ndim");
  if (rank && shape && is_shape_like(shape) && rank->children[0]->kind == RLX_AST_INT &&
      rank->children[0]->integer == shape->child_count)
    form(w, RLX_SPELLING_RANK, RLX_DIALECT_TLC, rank, call, rank->name_span);
  if (has_string || !has_name)
    form(w, has_string ? RLX_SPELLING_DIM_STRING : RLX_SPELLING_TENSOR, RLX_DIALECT_CLASSIC, call,
         parent, call->span);
}

static void look_at_relax_call(Walk *w, const RlxAst *call, const char *path,
                               const RlxAst *parent) {
  look_at_keywords(w, call, path);
  mark_call(w, call, path);
  const RlxAst *out_dtype = keyword_of(w, call, "out_dtype");
  const RlxAst *result = out_dtype && out_dtype->child_count ? out_dtype->children[0] : NULL;
  if (result && result->kind == RLX_AST_STRING &&
      (!result->text_size || (result->text_size == 4 && memcmp(result->text, "void", 4) == 0)))
    form(w, RLX_SPELLING_VOID_DTYPE, RLX_DIALECT_025, result, out_dtype, result->span);
  if (strcmp(path, "R.call_tir") == 0 || strcmp(path, "R.call_dps") == 0)
    look_at_call_tir(w, call, path, parent);
  const RlxAst *head = call->children[0];
  if (strcmp(path, "R.match_shape") == 0)
    form(w, RLX_SPELLING_MATCH_SHAPE, RLX_DIALECT_TLC, call, parent,
         head->kind == RLX_AST_ATTRIBUTE ? head->name_span : head->span);
  if (strcmp(path, "R.Tensor") == 0) look_at_tensor(w, call, parent);
  const RlxAst *value = strcmp(path, "R.Prim") == 0 ? keyword_of(w, call, "value") : NULL;
  if (value) form(w, RLX_SPELLING_PRIM_VALUE, RLX_DIALECT_CLASSIC, call, parent, value->span);
  const RlxAst *shape = positional(call, 0);
  if (strcmp(path, "R.builtin.alloc_tensor") == 0 && shape && is_shape_like(shape))
    form(w, RLX_SPELLING_SHAPE_VALUE, RLX_DIALECT_TLC, shape, call, shape->span);
}

/// `y.ty` among the arguments of a call of T's: 0.27 gives expressions a type in place of a dtype.
static void look_for_types(Walk *w, const RlxAst *call) {
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_KEYWORD) arg = arg->children[0];
    if (arg->kind == RLX_AST_ATTRIBUTE && strcmp(rlx_store_text(w->store, arg->name), "ty") == 0)
      form(w, RLX_SPELLING_TYPE_OF, RLX_DIALECT_027, arg, call, arg->name_span);
  }
}

static void look_at_tir_call(Walk *w, const RlxAst *call, const char *path, const RlxAst *parent) {
  RlxSpan span = call->children[0]->span;
  look_for_types(w, call);
  bool is_new = strcmp(path, "T.Var") == 0 && keyword_of(w, call, "ty"); // of 0.27
  if (!is_new &&
      (strcmp(path, "T.var") == 0 || strcmp(path, "T.Var") == 0 || strcmp(path, "T.SizeVar") == 0))
    form(w, RLX_SPELLING_VAR, RLX_DIALECT_CLASSIC, call, parent, span);
  if (strcmp(path, "T.var") == 0 && positional(call, 0) &&
      positional(call, 0)->kind == RLX_AST_STRING)
    w->marks |= RLX_SPELLING_EARLY;
  if (strcmp(path, "T.block") == 0 && call->child_count > 1 &&
      call->children[1]->kind == RLX_AST_LIST)
    form(w, RLX_SPELLING_BLOCK_DOMAINS, RLX_DIALECT_TLC, call, parent, call->children[1]->span);
  if (strcmp(path, "T.ret") == 0)
    form(w, RLX_SPELLING_RETURN, RLX_DIALECT_CLASSIC, call, parent, span);
  if (call->child_count == 1 && (strcmp(path, "T.int64") == 0 || strcmp(path, "T.int32") == 0))
    form(w, RLX_SPELLING_SYMBOL, RLX_DIALECT_CLASSIC, call, parent, span);
  const RlxAst *size_var = keyword_of(w, call, "is_size_var");
  if (size_var)
    form(w, RLX_SPELLING_SIZE_VAR, RLX_DIALECT_CLASSIC, size_var, call, size_var->name_span);
  const RlxAst *attrs = strcmp(path, "T.func_attr") == 0 ? positional(call, 0) : NULL;
  for (uint32_t i = 0; attrs && attrs->kind == RLX_AST_DICT && i < attrs->child_count; i += 2) {
    const RlxAst *key = attrs->children[i];
    if (key->kind != RLX_AST_STRING) continue;
    if (strncmp(key->text, "tir.", 4) == 0)
      form(w, RLX_SPELLING_ATTR_KEY, RLX_DIALECT_CLASSIC, key, attrs, key->span);
    if (strncmp(key->text, "tirx.", 5) == 0)
      form(w, RLX_SPELLING_ATTR_KEY, RLX_DIALECT_025, key, attrs, key->span);
  }
}

/// What the first row that has a path says of it; no bits: none has it.
typedef struct Said {
  RlxSpellingId id;
  RlxDialect first;
  unsigned bits;
} Said;

/// The rows are asked once for each path.
static Said said_of(RlxWords *words, const char *path) {
  uint64_t packed = 0;
  size_t size = strlen(path);
  if (!rlx_strmap_get(&words->spelled, path, size, &packed)) {
    for (int id = 0; id < RLX_SPELLING_COUNT && !packed; id++) {
      if (rows[id].kind != RLX_SPELLING_PATH) continue;
      RlxDialect first = RLX_DIALECT_025;
      unsigned bits = dialects_with(&rows[id], path, &first);
      if (bits) packed = (uint64_t)id << 32 | (uint64_t)first << 16 | bits;
    }
    rlx_strmap_put(&words->spelled, path, size, packed);
  }
  return (Said){(RlxSpellingId)(packed >> 32), (RlxDialect)(packed >> 16 & 0xffff),
                (unsigned)(packed & 0xffff)};
}

/// Whether a typed pointer may be written with brackets here in every dialect: as a parameter, as the result,
/// and in `x: T.let[…]`.
static bool takes_pointer(const Walk *w, const RlxAst *pointer) {
  const RlxStmt *stmt = w->stmt;
  for (uint32_t i = 0; i < stmt->param_count; i++)
    if (stmt->params[i].annotation == pointer) return true;
  if (stmt->kind == RLX_STMT_DEF && stmt->annotation == pointer) return true;
  const RlxAst *let = stmt->kind == RLX_STMT_ANNOTATED ? stmt->annotation : NULL;
  return let && let->kind == RLX_AST_SUBSCRIPT &&
         strcmp(rlx_ast_last_name(w->store, let->children[0]), "let") == 0;
}

/// The dialects whose wheels have `T.name`, whatever they make of it.
static unsigned dialects_of_script(const char *name) {
  unsigned bits = 0;
  for (int d = 0; d < RLX_DIALECT_COUNT; d++)
    if (rlx_script_names_cover((RlxDialect)d) && rlx_script_name(name, (RlxDialect)d))
      bits |= 1u << d;
  return bits;
}

/// `(x, y[0])`, of which no item is an annotation: a tuple of values.
static bool is_of_values(const RlxAst *list, const RlxStore *store) {
  bool is_value = is_shape_like(list) && list->child_count;
  for (uint32_t i = 0; is_value && i < list->child_count; i++) {
    const RlxAst *item = list->children[i],
                 *head = item->kind == RLX_AST_CALL ? item->children[0] : item;
    const bool is_tuple = item->kind == RLX_AST_CALL && item->child_count == 2 &&
                          strcmp(rlx_ast_last_name(store, head), "Tuple") == 0;
    is_value = is_tuple ? is_of_values(item->children[1], store)
                        : item->kind != RLX_AST_NONE &&
                              !is_annotation_word(rlx_ast_last_name(store, head));
  }
  return is_value;
}

/// Whether the call stands in the value of a statement, not in an annotation.
static bool is_in_value(const Walk *w, const RlxAst *call) {
  const RlxSpan value = w->stmt->value ? w->stmt->value->span : rlx_span(0, 0);
  return call->span.start >= value.start && call->span.end <= value.end;
}

static void look_at_path(Walk *w, const RlxAst *ast, const RlxAst *parent, const char *path,
                         const char *head) {
  bool is_annotation = is_annotation_word(path + 2);
  if (strcmp(head, "nn") == 0)
    form(w, RLX_SPELLING_BARE_OP, RLX_DIALECT_TLC, ast, parent, ast->span);
  else if (strcmp(path, "R.Tuple") == 0 && parent && parent->kind == RLX_AST_CALL &&
           parent->child_count == 2 && is_shape_like(parent->children[1]) &&
           (strcmp(head, "R") != 0 ||
            (is_in_value(w, parent) && is_of_values(parent->children[1], w->store))))
    form(w, RLX_SPELLING_TUPLE_VALUE, RLX_DIALECT_TLC, parent, NULL, ast->span);
  else if (path[0] == 'R' && strcmp(head, "R") != 0)
    form(w, RLX_SPELLING_ROOT, RLX_DIALECT_TLC, ast, parent, ast->span);
  if (path[0] == 'T' && rlx_spelling_is_old_float8(path + 2))
    form(w, RLX_SPELLING_FLOAT8, RLX_DIALECT_CLASSIC, ast, parent, ast->name_span);
  Said said = said_of(w->words, path);
  if (said.bits) {
    RlxSpelled found = {.id = said.id,
                        .form = said.first,
                        .dialects = said.bits,
                        .ast = ast,
                        .parent = parent,
                        .span = ast->name_span,
                        .word = rlx_store_text(w->store, ast->name)};
    if (path[0] == 'T') found.taken_by = dialects_of_script(path + 2) & ~said.bits;
    w->each(&found, w->data);
  }
  if (parent && parent->kind == RLX_AST_SUBSCRIPT && parent->children[0] == ast) {
    if (is_annotation && path[0] == 'R')
      form(w, RLX_SPELLING_TENSOR, RLX_DIALECT_TLC, parent, NULL, ast->span);
    if (strcmp(path, "T.Ptr") == 0) {
      const unsigned all = (1u << RLX_DIALECT_COUNT) - 1;
      RlxSpelled found = {
          .id = RLX_SPELLING_POINTER, .form = RLX_DIALECT_TLC, .ast = parent, .span = ast->span};
      found.dialects =
          takes_pointer(w, parent) ? all : dialects_like(&rows[found.id], RLX_DIALECT_TLC);
      if (w->stmt->annotation == parent && w->stmt->kind == RLX_STMT_ANNOTATED)
        found.dialects |= 1u << RLX_DIALECT_CLASSIC;
      w->each(&found, w->data);
    }
  }
}

static bool is_bare_op(const Walk *w, RlxName name) {
  const char *text = rlx_store_text(w->store, name);
  return rlx_op_find(text, strlen(text)) && !rlx_names_is_builtin(text);
}

/// A name without a namespace, as tlc-pack's scripts have them.
static void look_at_name(Walk *w, const RlxAst *ast, const RlxAst *parent) {
  const bool is_head = parent && parent->children[0] == ast &&
                       (parent->kind == RLX_AST_CALL || parent->kind == RLX_AST_SUBSCRIPT);
  if (is_annotation_word(rlx_store_text(w->store, ast->name))) {
    form(w, RLX_SPELLING_BARE_WORD, RLX_DIALECT_TLC, ast, parent, ast->span);
    if (is_head && parent->kind == RLX_AST_SUBSCRIPT)
      form(w, RLX_SPELLING_TENSOR, RLX_DIALECT_TLC, parent, NULL, ast->span);
  } else if (is_head && parent->kind == RLX_AST_CALL && is_bare_op(w, ast->name))
    form(w, RLX_SPELLING_BARE_OP, RLX_DIALECT_TLC, ast, parent, ast->span);
}

static void walk(Walk *w, const RlxAst *ast, const RlxAst *parent) {
  if (!ast) return;
  char path[128];
  const char *head = NULL;
  if (ast->kind == RLX_AST_ATTRIBUTE) {
    if (rlx_spelling_path(w->store, ast, path, sizeof path, &head)) {
      look_at_path(w, ast, parent, path, head);
      return;
    }
    if (is_word(w, ast->children[0], "cls")) w->marks |= RLX_SPELLING_LATER;
    if (strcmp(rlx_store_text(w->store, ast->name), "shape") == 0 &&
        (!parent || (parent->kind != RLX_AST_SUBSCRIPT && parent->kind != RLX_AST_ATTRIBUTE)))
      form(w, RLX_SPELLING_SHAPE_OF, RLX_DIALECT_TLC, ast, parent, ast->name_span);
  }
  if (ast->kind == RLX_AST_NAME) {
    look_at_name(w, ast, parent);
    return;
  }
  if (ast->kind == RLX_AST_CALL) {
    const RlxAst *callee = ast->children[0];
    if (callee->kind == RLX_AST_NAME) w->marks |= RLX_SPELLING_CALL;
    if (callee->kind == RLX_AST_ATTRIBUTE &&
        rlx_spelling_path(w->store, callee, path, sizeof path, &head)) {
      if (path[0] == 'R') look_at_relax_call(w, ast, path, parent);
      if (path[0] == 'T') look_at_tir_call(w, ast, path, parent);
    }
    if (is_word(w, callee, "TypeVar") && ast->child_count == 2) // with bounds it is Python's own
      form(w, RLX_SPELLING_TYPE_VAR, RLX_DIALECT_027, ast, parent, callee->span);
  }
  if (ast->kind == RLX_AST_STRING && parent && parent->kind != RLX_AST_DICT &&
      rlx_spelling_is_old_float8(ast->text))
    form(w, RLX_SPELLING_FLOAT8, RLX_DIALECT_CLASSIC, ast, parent, ast->span);
  bool is_tensor = (ast->kind == RLX_AST_CALL || ast->kind == RLX_AST_SUBSCRIPT) &&
                   is_word(w, ast->children[0], "Tensor");
  if (ast->kind == RLX_AST_SUBSCRIPT && is_word(w, ast->children[0], "metadata") &&
      ast->child_count == 2 && ast->children[1]->kind == RLX_AST_STRING) {
    const RlxAst *key = ast->children[1];
    if (strcmp(key->text, "relax.expr.Constant") == 0)
      form(w, RLX_SPELLING_METADATA, RLX_DIALECT_CLASSIC, key, ast, key->span);
    if (strcmp(key->text, "ir.GenericConst") == 0)
      form(w, RLX_SPELLING_METADATA, RLX_DIALECT_027, key, ast, key->span);
  }
  if (ast->kind == RLX_AST_SUBSCRIPT && ast->child_count == 2 &&
      is_word(w, ast->children[0], "meta"))
    form(w, RLX_SPELLING_METADATA, RLX_DIALECT_TLC, ast, NULL, ast->span);
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    const RlxAst *value = child->kind == RLX_AST_KEYWORD ? child->children[0] : child;
    if (is_tensor && i && is_dtype_short(value))
      form(w, RLX_SPELLING_DTYPE, RLX_DIALECT_TLC, value, ast, value->span);
    walk(w, child, ast);
  }
}

static void walk_import(Walk *w) {
  for (uint32_t i = 0; i < w->stmt->import_count; i++) {
    const RlxImport *import = &w->stmt->imports[i];
    if (!import->module) continue;
    if (!import->member && strcmp(rlx_store_text(w->store, import->module), "tvm.script.tir") == 0)
      form(w, RLX_SPELLING_IMPORT, RLX_DIALECT_CLASSIC, NULL, NULL, import->span);
    if (!import->member) continue;
    const char *module = rlx_store_text(w->store, import->module),
               *member = rlx_store_text(w->store, import->member);
    if (strcmp(module, "tvm.script._parser") == 0)
      form(w, RLX_SPELLING_PARSER_IMPORT, RLX_DIALECT_TLC, NULL, NULL, import->span);
    bool is_script = strcmp(module, "tvm.script") == 0 ||
                     strcmp(module, "tvm.script.parser") == 0 ||
                     strcmp(module, "tvm.script._parser") == 0;
    if (strcmp(module, "tvm.script.relax") == 0 || strcmp(module, "tvm.script.parser.relax") == 0)
      w->marks |= RLX_SPELLING_NAMED;
    if (is_script && strcmp(member, "tir") == 0)
      form(w, RLX_SPELLING_IMPORT, RLX_DIALECT_CLASSIC, NULL, NULL, import->span);
    if (is_script && strcmp(member, "tirx") == 0)
      form(w, RLX_SPELLING_IMPORT, RLX_DIALECT_025, NULL, NULL, import->span);
  }
}

/// `R.Tensor(…)`; `Tensor[…]`, too, where `may_be_bare`.
static bool is_relax_annotation(const RlxStore *store, const RlxAst *ast, bool may_be_bare) {
  if (ast->kind == RLX_AST_CALL || ast->kind == RLX_AST_SUBSCRIPT) ast = ast->children[0];
  if (ast->kind == RLX_AST_NAME)
    return may_be_bare && is_annotation_word(rlx_store_text(store, ast->name));
  if (ast->kind != RLX_AST_ATTRIBUTE || ast->children[0]->kind != RLX_AST_NAME) return false;
  return strcmp(rlx_store_text(store, ast->children[0]->name), "R") == 0 &&
         is_annotation_word(rlx_store_text(store, ast->name));
}

/// Whether the def stands in a class that `@rx.script` decorates: in 2021 its functions had no decorator of their own.
static bool is_in_script(const RlxStore *store, const RlxStmt *def) {
  const RlxStmt *around = def->block ? def->block->parent : NULL;
  if (!around || around->kind != RLX_STMT_CLASS) return false;
  for (uint32_t i = 0; i < around->decorator_count; i++)
    if (strcmp(rlx_ast_last_name(store, around->decorators[i]), "script") == 0) return true;
  return false;
}

bool rlx_def_is_undecorated(const RlxStore *store, const RlxStmt *def) {
  if (def->kind != RLX_STMT_DEF || def->decorator_count || def->is_async || !def->param_count)
    return false;
  const bool may_be_bare = is_in_script(store, def);
  for (uint32_t i = 0; i < def->param_count; i++)
    if (def->params[i].star || !def->params[i].annotation ||
        !is_relax_annotation(store, def->params[i].annotation, may_be_bare))
      return false;
  return true;
}

const char *rlx_ast_last_name(const RlxStore *store, const RlxAst *ast) {
  if (ast->kind == RLX_AST_CALL) ast = ast->children[0];
  return ast->kind == RLX_AST_ATTRIBUTE || ast->kind == RLX_AST_NAME
             ? rlx_store_text(store, ast->name)
             : "";
}

/// `T.int64` where StructInfo stands.
static bool is_scalar_type(const Walk *w, const RlxAst *annotation) {
  char path[128];
  const char *head = NULL;
  RlxDType dtype;
  return annotation && annotation->kind == RLX_AST_ATTRIBUTE &&
         rlx_spelling_path(w->store, annotation, path, sizeof path, &head) && path[0] == 'T' &&
         rlx_dtype_parse(path + 2, strlen(path + 2), &dtype);
}

static void walk_head(Walk *w) {
  const RlxStmt *stmt = w->stmt;
  for (uint32_t i = 0; i < stmt->decorator_count; i++) {
    const RlxAst *decorator = stmt->decorators[i];
    const char *name = rlx_ast_last_name(w->store, decorator);
    if (stmt->kind == RLX_STMT_CLASS && strcmp(name, "script") == 0) {
      form(w, RLX_SPELLING_MODULE, RLX_DIALECT_TLC, decorator, NULL, decorator->span);
      continue;
    }
    const RlxAst *s_tir =
        decorator->kind == RLX_AST_CALL ? keyword_of(w, decorator, "s_tir") : NULL;
    if (s_tir) form(w, RLX_SPELLING_S_TIR, RLX_DIALECT_025, s_tir, decorator, s_tir->span);
    walk(w, decorator, NULL);
  }
  if (rlx_def_is_undecorated(w->store, stmt))
    form(w, RLX_SPELLING_UNDECORATED, RLX_DIALECT_TLC, NULL, NULL, stmt->name_span);
  if (stmt->kind == RLX_STMT_DEF && stmt->type_param_count)
    form(w, RLX_SPELLING_TYPE_PARAM, RLX_DIALECT_027, NULL, NULL, stmt->name_span);
  bool is_relax = stmt->kind == RLX_STMT_DEF && stmt->decorator_count &&
                  strcmp(rlx_ast_last_name(w->store, stmt->decorators[0]), "function") == 0;
  if (is_relax && is_scalar_type(w, stmt->annotation))
    form(w, RLX_SPELLING_PRIM_DTYPE, RLX_DIALECT_027, stmt->annotation, NULL,
         stmt->annotation->span);
  const RlxParams taken = rlx_taken_params(stmt);
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    const RlxAst *annotation = stmt->params[i].annotation;
    const bool is_read = is_relax && !rlx_is_left_out(taken, &stmt->params[i]);
    if (is_read && is_scalar_type(w, annotation))
      form(w, RLX_SPELLING_PRIM_DTYPE, RLX_DIALECT_027, annotation, NULL, annotation->span);
    walk(w, annotation, NULL);
    walk(w, stmt->params[i].default_value, NULL);
  }
}

/// `n: T.int64 = …` among the statements of a Relax function, of the function itself or further in.
static bool is_scalar_binding(const Walk *w) {
  const RlxStmt *stmt = w->stmt, *around = stmt;
  if (stmt->kind != RLX_STMT_ANNOTATED || !stmt->value || !is_scalar_type(w, stmt->annotation))
    return false;
  do {
    around = around->block ? around->block->parent : NULL;
  } while (around && around->kind != RLX_STMT_DEF);
  return around && around->decorator_count &&
         strcmp(rlx_ast_last_name(w->store, around->decorators[0]), "function") == 0;
}

/// `s: R.Shape = (n, m)`, or `return (n, m)` of a function whose result is declared so.
static bool is_shape_tuple(const Walk *w) {
  const RlxStmt *stmt = w->stmt, *around = stmt->block ? stmt->block->parent : NULL;
  if (!stmt->value || stmt->value->kind != RLX_AST_TUPLE) return false;
  const bool is_return = stmt->kind == RLX_STMT_RETURN && around && around->kind == RLX_STMT_DEF;
  const RlxAst *annotation = is_return                          ? around->annotation
                             : stmt->kind == RLX_STMT_ANNOTATED ? stmt->annotation
                                                                : NULL;
  return annotation && strcmp(rlx_ast_last_name(w->store, annotation), "Shape") == 0;
}

/// Gives what is spelled in the statement to `each`; returns its RlxSpellingMarks.
static unsigned walk_stmt(RlxWords *words, const RlxStmt *stmt,
                          void (*each)(const RlxSpelled *spelled, void *data), void *data) {
  Walk w = {words, words->store, stmt, each, data, 0};
  if (stmt->kind == RLX_STMT_IMPORT) {
    walk_import(&w);
    return w.marks;
  }
  if (stmt->kind == RLX_STMT_DEF || stmt->kind == RLX_STMT_CLASS) walk_head(&w);
  for (uint32_t i = 0; i < stmt->target_count; i++)
    if (stmt->targets[i]->kind != RLX_AST_NAME) walk(&w, stmt->targets[i], NULL);
  if (is_scalar_binding(&w))
    form(&w, RLX_SPELLING_PRIM_DTYPE, RLX_DIALECT_027, stmt->annotation, NULL,
         stmt->annotation->span);
  if (is_shape_tuple(&w))
    form(&w, RLX_SPELLING_SHAPE_VALUE, RLX_DIALECT_TLC, stmt->value, NULL, stmt->value->span);
  walk(&w, stmt->annotation, NULL);
  walk(&w, stmt->value, NULL);
  walk(&w, stmt->message, NULL);
  for (uint32_t i = 0; i < stmt->item_count; i++) walk(&w, stmt->items[i].value, NULL);
  return w.marks;
}

void rlx_stmt_spellings(RlxWords *words, const RlxStmt *stmt,
                        void (*each)(const RlxSpelled *spelled, void *data), void *data) {
  walk_stmt(words, stmt, each, data);
}

// ---- recognition

/// Today's annotations, which tlc-pack's Relax had from late 2022 on: whether they speak against it
/// depends on what else the island says (recognize.c).
static bool is_annotation_of_today(const RlxSpelled *s) {
  return (s->id == RLX_SPELLING_TENSOR && s->form == RLX_DIALECT_CLASSIC) ||
         s->id == RLX_SPELLING_DIM_STRING;
}

static void vote(const RlxSpelled *s, void *data) {
  RlxStmt *stmt = data;
  const unsigned all = (1u << RLX_DIALECT_COUNT) - 1, tlc = 1u << RLX_DIALECT_TLC;
  if (s->dialects == all || !rows[s->id].weight) return;
  stmt->spelling_fits &= (uint8_t)s->dialects;
  stmt->spelling_reads &= (uint8_t)(s->dialects | s->taken_by);
  if (s->taken_by && stmt->spelling_taken < 255) stmt->spelling_taken++;
  if (s->dialects == tlc && (s->id == RLX_SPELLING_MATCH_SHAPE || s->id == RLX_SPELLING_CALL_TIR ||
                             s->id == RLX_SPELLING_SINFO_ARGS))
    stmt->spelling_marks |= RLX_SPELLING_OLD;
  if (is_annotation_of_today(s)) {
    unsigned sum = stmt->spelling_today + (unsigned)rows[s->id].weight;
    stmt->spelling_today = (uint8_t)(sum > 255 ? 255 : sum);
    return;
  }
  bool is_only =
      (s->dialects & (s->dialects - 1)) == 0 || s->dialects == (all & ~(1u << RLX_DIALECT_TLC));
  for (int d = 0; d < RLX_DIALECT_COUNT; d++) {
    if (!(s->dialects >> d & 1)) continue;
    unsigned sum = stmt->spelling_votes[d] + (is_only ? rows[s->id].weight : 1u);
    stmt->spelling_votes[d] = (uint8_t)(sum > 255 ? 255 : sum);
  }
}

void rlx_stmt_votes(RlxWords *words, RlxStmt *stmt) {
  if (stmt->is_spelling_known) return;
  stmt->is_spelling_known = true;
  stmt->spelling_fits = stmt->spelling_reads = (1u << RLX_DIALECT_COUNT) - 1;
  stmt->spelling_marks = stmt->spelling_today = stmt->spelling_taken = 0;
  memset(stmt->spelling_votes, 0, sizeof stmt->spelling_votes);
  stmt->spelling_marks |= (uint8_t)walk_stmt(words, stmt, vote, stmt);
}

bool rlx_stmt_matches_symbol(const RlxStore *store, const RlxStmt *stmt, RlxName name,
                             bool with_cast) {
  const RlxAst *call = stmt->value;
  if (!call || call->kind != RLX_AST_CALL) return false;
  bool is_cast = strcmp(rlx_ast_last_name(store, call), "match_cast") == 0 && call->child_count > 2;
  if (is_cast ? !with_cast : strcmp(rlx_ast_last_name(store, call), "match_shape") != 0)
    return false;
  if (is_cast) call = call->children[2]; // R.Tensor((n,)), R.Tensor[(n,)]
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *pattern = call->children[i];
    if (pattern->kind == RLX_AST_TUPLE && pattern->child_count &&
        is_shape_like(pattern->children[0]) && is_cast)
      pattern = pattern->children[0];
    if (!is_shape_like(pattern)) continue;
    for (uint32_t k = 0; k < pattern->child_count; k++)
      if (pattern->children[k]->kind == RLX_AST_NAME && pattern->children[k]->name == name)
        return true;
  }
  return false;
}

// ---- documentation

static void document_cell(const char *cell, RlxBuf *out) {
  if (!*cell) {
    rlx_buf_puts(out, " – |");
    return;
  }
  rlx_buf_printf(out, " `%s` |", cell);
}

void rlx_dialect_document(RlxBuf *out) {
  static const RlxDialect order[] = {RLX_DIALECT_TLC, RLX_DIALECT_CLASSIC, RLX_DIALECT_025,
                                     RLX_DIALECT_027};
  rlx_buf_puts(out,
               "<!-- Generated by `rlx explain --all-markdown dialects > docs/dialects.md`; "
               "do not edit. -->\n\n# Dialects of TVMScript\n\n"
               "`rlx` reads four generations of TVMScript: **tlc-pack** (Relax of 2021 to "
               "early 2023 and its design documents), **classic** (TVM 0.12 to "
               "0.23), **0.25** (0.24 and 0.25) and **0.27** (0.26 on). An *island* is a "
               "module, or a function outside of modules. `rlx` recognises an island's "
               "dialect from its own spellings and the file's imports, unless `dialect` in "
               "rlx.toml or `--dialect` names one. Of tlc-pack's years the last two look like "
               "later ones: late in 2022 today's annotations stand beside `R.match_shape`; early "
               "in 2023, in a classic file, siblings have bare names, or `R.call_tir` takes a "
               "packed function, and nothing came with purity yet (`cls.f`, `pure=`, "
               "`R.call_dps_packed`). A spelling of another dialect is analysed "
               "as it is meant, and reported once: as dialect-spelling (RLX0902) with a fix, "
               "or as dialect-absent (RLX0903) where nothing can replace it as it "
               "stands. What TVM takes as something else is analysed as that, with a warning.\n\n"
               "`rlx migrate [PATH…] --to DIALECT` shows what would change; with `--check` it "
               "names the files, with `--write` it rewrites them. In an editor the code "
               "action \"convert dialect\" does it for one module or function. Only what the "
               "dialect spells differently changes; the rest stays byte for byte, and a "
               "second run changes nothing. Outside of islands only the imports of script "
               "namespaces and of `tvm.tir` change.\n\n"
               "| | tlc-pack | classic | 0.25 | 0.27 |\n|---|---|---|---|---|\n");
  for (int i = 0; i < RLX_SPELLING_COUNT; i++) {
    rlx_buf_printf(out, "| %s |", rows[i].meaning);
    for (size_t d = 0; d < sizeof order / sizeof order[0]; d++)
      document_cell(rows[i].cells[order[d]], out);
    rlx_buf_putc(out, '\n');
  }
}
