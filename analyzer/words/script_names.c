/// Names of the namespaces T and R, from the rows of script_names.def and relax_names.def.
#include "analyzer/words/script_names.h"

#include <string.h>

#include "analyzer/symbolic/dtype.h"
#include "base/nearest.h"
#include "base/text.h"

static const RlxScriptName rows[] = {
#define RLX_SCRIPT_NAME(name, since, until, how, params)                                           \
  {name, params, RLX_DIALECT_##since, RLX_DIALECT_##until, RLX_SCRIPT_##how},
#include "analyzer/words/script_names.def"
#undef RLX_SCRIPT_NAME
};

static const RlxScriptKinds kinds[] = {
#define RLX_SCRIPT_KINDS(name, since, until, kinds, result, same)                                  \
  {name, kinds, result, RLX_DIALECT_##since, RLX_DIALECT_##until, same},
#include "analyzer/words/script_kinds.def"
#undef RLX_SCRIPT_KINDS
};

static const struct {
  const char *name;
  uint8_t since, until;
  bool is_impure;
} intrinsics[] = {
#define RLX_SCRIPT_INTRINSIC(name, since, until, is_impure)                                        \
  {name, RLX_DIALECT_##since, RLX_DIALECT_##until, is_impure},
#include "analyzer/words/script_intrinsics.def"
#undef RLX_SCRIPT_INTRINSIC
};

static const struct {
  const char *name;
  uint8_t since, until;
} relax_names[] = {
#define RLX_RELAX_NAME(name, since, until) {name, RLX_DIALECT_##since, RLX_DIALECT_##until},
#include "analyzer/words/relax_names.def"
#undef RLX_RELAX_NAME
};

enum {
  ROWS = sizeof rows / sizeof *rows,
  KINDS = sizeof kinds / sizeof *kinds,
  INTRINSICS = sizeof intrinsics / sizeof *intrinsics,
  RELAX_NAMES = sizeof relax_names / sizeof *relax_names
};

const RlxScriptName *rlx_script_names(uint32_t *count) {
  *count = ROWS;
  return rows;
}

bool rlx_script_names_cover(RlxDialect dialect) {
  return dialect == RLX_DIALECT_025 || dialect == RLX_DIALECT_027;
}

static bool has(const RlxScriptName *row, RlxDialect dialect) {
  return row->since <= dialect && dialect <= row->until;
}

/// As strcmp; most names differ in their first character.
static inline int order(const char *a, const char *b) {
  return *a != *b ? (unsigned char)*a - (unsigned char)*b : strcmp(a, b);
}

/// The first of `count` rows of `size` bytes, sorted by the name that each begins with, whose name
/// is not before `name`.
static size_t first_row(const void *table, size_t size, size_t count, const char *name) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *const *at = (const void *)((const char *)table + middle * size);
    if (order(*at, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const RlxScriptName *rlx_script_name(const char *name, RlxDialect dialect) {
  size_t at = first_row(rows, sizeof *rows, ROWS, name);
  for (; at < ROWS && strcmp(rows[at].name, name) == 0; at++)
    if (has(&rows[at], dialect)) return &rows[at];
  return NULL;
}

bool rlx_relax_has_name(const char *name, RlxDialect dialect) {
  const size_t at = first_row(relax_names, sizeof *relax_names, RELAX_NAMES, name);
  return at < RELAX_NAMES && strcmp(relax_names[at].name, name) == 0 &&
         relax_names[at].since <= dialect && dialect <= relax_names[at].until;
}

bool rlx_script_name_has_members(const char *name, RlxDialect dialect) {
  const size_t size = strlen(name);
  for (size_t at = first_row(rows, sizeof *rows, ROWS, name);
       at < ROWS && strncmp(rows[at].name, name, size) == 0; at++)
    if (rows[at].name[size] == '.' && has(&rows[at], dialect)) return true;
  return false;
}

void rlx_script_names_try(RlxNearest *nearest, RlxDialect dialect) {
  for (size_t i = 0; i < ROWS; i++)
    if (has(&rows[i], dialect)) rlx_nearest_try(nearest, rows[i].name);
}

const char *rlx_script_name_nearest(const char *name, RlxDialect dialect, bool *is_tied) {
  RlxNearest nearest = rlx_nearest_start(name);
  rlx_script_names_try(&nearest, dialect);
  *is_tied = nearest.is_tied;
  return nearest.best;
}

const RlxScriptKinds *rlx_script_kinds(const char *name, RlxDialect dialect) {
  size_t at = first_row(kinds, sizeof *kinds, KINDS, name);
  for (; at < KINDS && strcmp(kinds[at].name, name) == 0; at++)
    if (kinds[at].since <= dialect && dialect <= kinds[at].until) return &kinds[at];
  return NULL;
}

/// The operator `tirx.NAME` of the dialect: its place among the intrinsics; -1: there is none.
static int registered(const char *name, RlxDialect dialect) {
  const size_t at = first_row(intrinsics, sizeof *intrinsics, INTRINSICS, name);
  return at < INTRINSICS && strcmp(intrinsics[at].name, name) == 0 &&
                 intrinsics[at].since <= dialect && dialect <= intrinsics[at].until
             ? (int)at
             : -1;
}

enum { SPELLED_MAX = 96 };

/// The same for names in which an underscore stands for a dot; of one that is longer than all -1.
static int intrinsic_of(const char *name, RlxDialect dialect) {
  char spelled[SPELLED_MAX];
  int at = registered(name, dialect);
  if (strlen(name) >= sizeof spelled) return at;
  for (const char *bar = strchr(name, '_'); at < 0 && bar; bar = strchr(bar + 1, '_')) {
    strcpy(spelled, name); // cuda_syncthreads is cuda.syncthreads
    spelled[bar - name] = '.';
    at = registered(spelled, dialect);
  }
  return at;
}

bool rlx_script_intrinsic(const char *name, RlxDialect dialect) {
  return strlen(name) >= SPELLED_MAX || intrinsic_of(name, dialect) >= 0;
}

bool rlx_script_is_impure(const char *name, RlxDialect dialect) {
  const int at = intrinsic_of(name, dialect);
  return at >= 0 && intrinsics[at].is_impure;
}

void rlx_script_name_tell(const RlxScriptName *row, RlxBuf *out) {
  rlx_buf_printf(out, "%s(", row->name);
  for (const char *at = row->params; *at; at++) {
    rlx_buf_putc(out, *at);
    if (*at == '=' && (at[1] == ',' || !at[1])) rlx_buf_puts(out, "…");
  }
  rlx_buf_putc(out, ')');
}

bool rlx_script_signature(const char *params, RlxScriptSignature *out) {
  *out = (RlxScriptSignature){0};
  bool is_keyword_only = false;
  while (*params) {
    size_t size = strcspn(params, ",");
    if (params[0] == '*' && params[1] == '*') {
      out->takes_any_keyword = true;
    } else if (params[0] == '*') {
      is_keyword_only = true;
      out->takes_more = size > 1;
    } else {
      bool is_optional = params[size - 1] == '=';
      size_t length = size - is_optional;
      if (out->count == RLX_SCRIPT_PARAMS || length >= sizeof out->at->name) return false;
      RlxScriptParam *p = &out->at[out->count++];
      memcpy(p->name, params, length);
      p->may_be_left_out = is_optional;
      p->is_keyword_only = is_keyword_only;
      out->positional += !is_keyword_only;
    }
    params += size;
    params += strspn(params, ", ");
  }
  return true;
}

/// The parameter that a positional argument or a keyword goes to: its index in the row's kinds.
static int parameter_of(const char *params, int position, const char *keyword) {
  int index = 0, place = 0;
  bool is_keyword_only = false;
  while (*params) {
    size_t size = strcspn(params, ","), length = size;
    if (length && params[length - 1] == '=') length--;
    if (size == 1 && params[0] == '*') {
      is_keyword_only = true;
    } else {
      bool is_star = params[0] == '*' && params[1] != '*';
      if (!keyword && !is_keyword_only && params[0] != '*' && place == position) return index;
      if (!keyword && is_star && position >= place) return index;
      if (keyword && strlen(keyword) == length && strncmp(params, keyword, length) == 0)
        return index;
      index++;
      place++;
    }
    params += size;
    params += strspn(params, ", ");
  }
  return -1;
}

static const char *letters_at(const char *cells, int index, size_t *size) {
  for (; index > 0 && *cells; index--) {
    cells += strcspn(cells, " ");
    cells += *cells == ' ';
  }
  *size = strcspn(cells, " ");
  return cells;
}

const char *rlx_script_letters(const char *params, const char *cells, int position,
                               const char *keyword, size_t *size) {
  const int index = parameter_of(params, position, keyword);
  if (index < 0) return NULL;
  const char *letters = letters_at(cells, index, size);
  return *size ? letters : NULL;
}

bool rlx_script_name_is_alone(const char *name) {
  static const char *const words[] = {"cast",
                                      "fabs",
                                      "fma",
                                      "boolean",
                                      "handle",
                                      "void",
                                      "ramp",
                                      "broadcast",
                                      "evaluate",
                                      "grid",
                                      "serial",
                                      "parallel",
                                      "vectorized",
                                      "unroll",
                                      "thread_binding",
                                      "sblock",
                                      "axis",
                                      "match_buffer",
                                      "alloc_buffer",
                                      "sblock_alloc_buffer",
                                      "func_attr",
                                      "reads",
                                      "writes",
                                      "init",
                                      "where",
                                      "launch_thread",
                                      "env_thread",
                                      "attr",
                                      "tvm_call_packed",
                                      "tvm_call_cpacked"};
  RlxDType dtype;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], name) == 0) return true;
  return rlx_dtype_parse(name, strlen(name), &dtype);
}

bool rlx_script_annotation_dtype(const RlxStore *store, const RlxAst *annotation, RlxDType *out) {
  if (!annotation || annotation->kind != RLX_AST_ATTRIBUTE) return false;
  const char *text = rlx_store_text(store, annotation->name);
  return rlx_dtype_parse(text, strlen(text), out);
}

bool rlx_script_name_takes_span(const char *name) {
  static const char names[] =
      " Add And BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Broadcast BufferLoad Call "
      "Cast CommReducer Div EQ FloatImm FloorDiv FloorMod GE GT IntImm IterVar LE "
      "LShift LT Max Min Mod Mul NE Not Or ProducerLoad RShift Ramp Reduce Select "
      "Shuffle SizeVar StringImm Sub Var abs address_of bitwise_and bitwise_not "
      "bitwise_or bitwise_xor break_loop broadcast cast ceil ceildiv continue_loop fabs "
      "floor floordiv floormod if_then_else infinity isfinite isinf isnan isnullptr "
      "likely lookup_param max_value min_value nearbyint pow ramp reinterpret ret round "
      "selector shift_left shift_right trunc truncdiv truncmod ";
  return rlx_text_is_among(name, names);
}
