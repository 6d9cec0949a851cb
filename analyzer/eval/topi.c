/// R.emit_te with a function of tvm.topi: the StructInfo of the tensor expression, found through
/// the operator that computes the same.
/// Always true: what is reported topi refuses, too, and the operator does not become part of the IR: the call
/// stays the script's own.
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/eval_words.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/eval/topi_layout.h"

typedef struct Topi {
  const char *name, *params, *op, *args, *dtype;
} Topi;

static const Topi rows[] = {
#define RLX_TOPI(name, params, op, args, dtype) {name, params, op, args, dtype},
#include "analyzer/eval/topi.def"
#undef RLX_TOPI
};

enum { PARAMS_MOST = 16, WORD_MOST = 32 };

/// What may stand in front of a parameter, and of that what is reported where it does not hold.
static const char marks[] = "!+*~^-/&3.#%", reported_marks[] = "/&3.#%";

/// A call with its arguments at topi's parameters; NULL where there is none, or None.
typedef struct Call {
  RlxEval *e;
  const Topi *row;
  const RlxValue *slots[PARAMS_MOST];
  RlxSpan span;
} Call;

static RlxValue unknown(RlxEval *e, RlxSpan span) {
  e->tainted |= RLX_FAILED;
  return rlx_value_unknown(span);
}

const char *rlx_topi_name(const char *path) {
  static const char *const roots[] = {"tvm.topi.", "topi.", "tvm.te.topi."};
  for (size_t k = 0; k < sizeof roots / sizeof roots[0]; k++) {
    size_t size = strlen(roots[k]);
    if (strncmp(path, roots[k], size) != 0) continue;
    path += size;
    return strncmp(path, "math.", 5) == 0 ? path + 5 : path; // topi.math.exp is topi.exp
  }
  return NULL;
}

/// Copies the next word of a list to `word` and steps over it; false: none is left.
static bool next_word(const char **list, char word[WORD_MOST]) {
  while (**list == ' ') ++*list;
  size_t size = strcspn(*list, " ");
  if (!size || size >= WORD_MOST) return false;
  memcpy(word, *list, size);
  word[size] = 0;
  *list += size;
  return true;
}

/// Index of a parameter, its mark in `*mark` (0: none); -1: there is no such one.
static int param_of(const char *params, const char *name, char *mark) {
  char word[WORD_MOST];
  for (int i = 0; next_word(&params, word); i++) {
    *mark = strchr(marks, word[0]) ? word[0] : 0;
    if (strcmp(word + (*mark != 0), name) == 0) return i;
  }
  return -1;
}

static int param_count(const char *params) {
  char word[WORD_MOST];
  int count = 0;
  while (next_word(&params, word)) count++;
  return count;
}

// ---- arguments

/// All that are left, from argument `from` on, as a tuple.
static RlxValue rest(const Call *c, const RlxPyArgs *args, uint32_t from) {
  RlxValue list = {.kind = RLX_VALUE_LIST, .is_tuple = true, .span = c->span};
  list.items = rlx_arena_array(c->e->arena, RlxValue, args->count);
  for (uint32_t i = from; i < args->count; i++)
    if (!args->at[i].keyword) list.items[list.count++] = args->at[i].value;
  return list;
}

static bool is_negative(const RlxValue *v) {
  for (uint32_t i = 0; v->kind == RLX_VALUE_LIST && i < v->count; i++)
    if (is_negative(&v->items[i])) return true;
  return v->kind == RLX_VALUE_INT && v->integer < 0;
}

/// Whether a parameter with that mark takes the argument; NULL: none is given.
static bool may_be(char mark, const RlxValue *given) {
  bool is_true = given && given->kind == RLX_VALUE_BOOL && given->integer,
       is_false = given && given->kind == RLX_VALUE_BOOL && !given->integer;
  switch (mark) {
  case '!': return !given;
  case '+': return given;
  case '^': return is_true;
  case '-': return !given || is_false;
  case '~': return !given || !is_negative(given);
  default: return true;
  }
}

bool rlx_topi_steers(const char *keyword) {
  return strcmp(keyword, "primfunc_name_hint") == 0 || strcmp(keyword, "primfunc_attrs") == 0;
}

/// Puts what stands behind the function at topi's parameters. False: it does not fit them, or says
/// something that the row does not know.
static bool bind(Call *c, const RlxPyArgs *args) {
  int next = 0, count = param_count(c->row->params);
  const char *star = strchr(c->row->params, '*');
  char mark, word[WORD_MOST];
  for (uint32_t i = 1; i < args->count; i++) {
    const RlxPyArg *arg = &args->at[i];
    const char *keyword = arg->keyword ? rlx_store_text(c->e->store, arg->keyword) : NULL;
    if (keyword && rlx_topi_steers(keyword)) continue;
    if (!keyword && star && next == count - 1) {
      RlxValue *tuple = rlx_arena_one(c->e->arena, RlxValue);
      *tuple = rest(c, args, i);
      c->slots[next] = tuple;
      break;
    }
    int at = keyword ? param_of(c->row->params, keyword, &mark) : next++;
    if (at < 0 || at >= count || at >= PARAMS_MOST || c->slots[at]) return false;
    if (arg->value.kind != RLX_VALUE_NONE) c->slots[at] = &arg->value;
  }
  const char *params = c->row->params;
  for (int i = 0; next_word(&params, word); i++)
    if (!may_be(word[0], c->slots[i])) return false;
  return true;
}

/// The tensor that an argument is; NULL: it is none that is known.
static const RlxSInfo *tensor_of(const Call *c, const RlxValue *given) {
  const RlxExpr *x = given ? rlx_expr_of(c->e, given) : NULL;
  return x && x->sinfo && x->sinfo->kind == RLX_SINFO_TENSOR ? x->sinfo : NULL;
}

static const RlxValue *slot(const Call *c, const char *name) {
  char mark;
  int at = param_of(c->row->params, name, &mark);
  return at >= 0 && at < PARAMS_MOST ? c->slots[at] : NULL;
}

/// The first of the numbers that no constant of TVM's holds, nor one of `dtype` where that is known; NULL: there is none. `*limit`: what
/// should have held it. `is_typed`: the constant is made as one of `dtype` at once.
static const RlxValue *too_large(const Call *c, const RlxValue *v, RlxDType dtype, bool is_typed,
                                 const char **limit) {
  for (uint32_t i = 0; v->kind == RLX_VALUE_LIST && i < v->count; i++) {
    const RlxValue *found = too_large(c, &v->items[i], dtype, is_typed, limit);
    if (found) return found;
  }
  // From 0.26 on a constant of floats is made of any int, one of uint64 of what it holds.
  const bool is_held = is_typed && rlx_dtype_is_int(dtype) && dtype.code == RLX_DTYPE_UINT &&
                       dtype.bits == 64 && v->kind == RLX_VALUE_UINT64,
             is_made_float = is_typed && rlx_eval_is_027(c->e) && !rlx_dtype_is_int(dtype);
  const bool is_big = !is_made_float && !is_held &&
                      ((v->kind == RLX_VALUE_OTHER && v->text == rlx_big_int_text) ||
                       v->kind == RLX_VALUE_UINT64),
             is_wide = !is_typed && v->kind == RLX_VALUE_FLOAT &&
                       rlx_word_out_of_range(v, RLX_FLOAT32, true);
  char text[RLX_DTYPE_TEXT_MAX];
  *limit = is_big    ? "int64"
           : is_wide ? "float32"
                     : rlx_arena_strdup(c->e->arena, rlx_dtype_text(dtype, text));
  const bool is_other = rlx_dtype_known(dtype) && rlx_word_out_of_range(v, dtype, true);
  return is_big || is_wide || is_other ? v : NULL;
}

/// The dtype that a parameter called `dtype` says, or that of the first argument.
static RlxDType dtype_said(const Call *c) {
  const RlxValue *v = slot(c, "dtype");
  RlxDType dtype;
  if (v && v->kind == RLX_VALUE_DTYPE) return rlx_unpack_dtype(v->integer);
  const char *text = v && v->kind == RLX_VALUE_STR ? rlx_store_text(c->e->store, v->string) : "";
  if (v) return rlx_dtype_parse(text, strlen(text), &dtype) ? dtype : rlx_dtype_unknown();
  const RlxSInfo *of = tensor_of(c, c->slots[0]);
  return of ? of->dtype : rlx_dtype_unknown();
}

/// Whether TVM makes no constant of a value: nothing but numbers and symbolic expressions is known to be one.
static bool is_no_constant(const RlxEval *e, const RlxValue *v) {
  const bool is_tensor = v->kind == RLX_VALUE_EXPR && v->expr->sinfo->kind == RLX_SINFO_TENSOR &&
                         v->expr->kind != RLX_EXPR_HOLE;
  return (is_tensor || v->kind == RLX_VALUE_STR || v->kind == RLX_VALUE_LIST) &&
         rlx_refuse_may_tell(e);
}

/// What topi checks of an argument and the operator does not; false: it is refused, and reported.
static bool holds(const Call *c, char mark, const char *param, const RlxValue *given) {
  const char *name = rlx_arena_printf(c->e->arena, "topi.%s", c->row->name);
  if (mark == '/') {
    const RlxSInfo *of = tensor_of(c, c->slots[0]);
    const int ndim = of ? of->ndim : -1;
    if (ndim < 0 || given->kind != RLX_VALUE_INT ||
        (given->integer >= -ndim && given->integer < ndim))
      return true;
    rlx_eval_report(c->e, RLX_DIAG_ID(AXIS_RANGE), given->span, "sdis", name, given->integer, ndim,
                    rlx_arena_printf(c->e->arena, "expected %d to %d", -ndim, ndim - 1));
    return false;
  }
  const char *limit;
  const RlxValue *large =
      mark == '.' || mark == '#' || mark == '%'
          ? too_large(c, given, mark != '.' ? dtype_said(c) : rlx_dtype_unknown(), mark == '%',
                      &limit)
          : NULL;
  if (large) {
    (void)rlx_word_invalid(c->e, name, param, large,
                           rlx_arena_printf(c->e->arena, "a number that %s holds", limit),
                           large->span);
    return false;
  }
  if (mark == '%' && is_no_constant(c->e, given)) {
    (void)rlx_word_invalid(c->e, name, param, given, "a number", given->span);
    return false;
  }
  const RlxSInfo *s = tensor_of(c, given);
  if (mark == '3' && s && s->ndim >= 0 && s->ndim != 3) {
    rlx_eval_report(c->e, RLX_DIAG_ID(RANK), given->span, "ssss", name, param,
                    rlx_arena_printf(c->e->arena, "rank %d", s->ndim), "rank 3");
    return false;
  }
  char dtype[RLX_DTYPE_TEXT_MAX];
  if (mark == '&' && s && rlx_dtype_known(s->dtype) && !rlx_dtype_is_int(s->dtype)) {
    rlx_eval_report(c->e, RLX_DIAG_ID(DTYPE_CLASS), given->span, "ssss", name, param,
                    rlx_dtype_text(s->dtype, dtype), "an integer dtype");
    return false;
  }
  return true;
}

/// Whether topi takes the arguments that are bound; what it does not take is reported.
static bool are_taken(const Call *c) {
  const char *params = c->row->params;
  char word[WORD_MOST];
  for (int i = 0; next_word(&params, word); i++)
    if (strchr(reported_marks, word[0]) && c->slots[i] && !holds(c, word[0], word + 1, c->slots[i]))
      return false;
  return true;
}

/// The axes whose length is the number 1: those that topi.squeeze takes away.
static bool axes_of_ones(const Call *c, RlxValue *list) {
  const RlxSInfo *s = tensor_of(c, c->slots[0]);
  int64_t length;
  if (!s || !s->dims) return false;
  list->items = rlx_arena_array(c->e->arena, RlxValue, s->ndim ? (size_t)s->ndim : 1);
  for (int i = 0; i < s->ndim; i++)
    if (rlx_prim_is_const(s->dims[i], &length) && length == 1)
      list->items[list->count++] = rlx_value_of_int(i, c->span);
  return true;
}

/// What is added before and behind each axis, in the order of R.nn.pad.
static bool pairs_of(const Call *c, RlxValue *list) {
  const RlxValue *before = c->slots[1], *after = c->slots[2] ? c->slots[2] : before;
  if (!before || before->kind != RLX_VALUE_LIST || after->kind != RLX_VALUE_LIST ||
      before->count != after->count)
    return false;
  list->items = rlx_arena_array(c->e->arena, RlxValue, before->count ? 2 * before->count : 1);
  for (uint32_t i = 0; i < before->count; i++) {
    list->items[list->count++] = before->items[i];
    list->items[list->count++] = after->items[i];
  }
  return true;
}

/// Some tensor like `given` with its last two axes swapped.
static bool swapped(const Call *c, const RlxValue *given, RlxValue *out) {
  const RlxSInfo *s = tensor_of(c, given);
  if (!s || s->ndim < 2) return false;
  RlxVar *other = rlx_arena_one(c->e->arena, RlxVar);
  other->sinfo = s;
  other->is_temporary = true;
  if (s->dims) {
    const RlxPrim **dims = rlx_arena_array(c->e->arena, const RlxPrim *, (size_t)s->ndim);
    for (int i = 0; i < s->ndim; i++) dims[i] = s->dims[i < s->ndim - 2 ? i : 2 * s->ndim - 3 - i];
    other->sinfo = rlx_sinfo_tensor(c->e->store, dims, s->ndim, s->dtype, s->vdevice);
  }
  *out = rlx_value_expr(rlx_expr_var(c->e, other, c->span));
  return true;
}

/// The axes of the result that topi.expand_dims adds: neighbours.
static bool new_axes(const Call *c, RlxValue *list) {
  const RlxExpr *x = c->slots[0] ? rlx_expr_of(c->e, c->slots[0]) : NULL;
  const RlxValue *axis = c->slots[1], *count = c->slots[2];
  if (!x || x->sinfo->kind != RLX_SINFO_TENSOR || x->sinfo->ndim < 0 || !axis || !count ||
      axis->kind != RLX_VALUE_INT || count->kind != RLX_VALUE_INT || count->integer < 0 ||
      count->integer > PARAMS_MOST)
    return false;
  int64_t from = axis->integer < 0 ? axis->integer + x->sinfo->ndim + 1 : axis->integer;
  list->items = rlx_arena_array(c->e->arena, RlxValue, (size_t)count->integer + 1);
  while (list->count < count->integer) {
    list->items[list->count] = rlx_value_of_int(from + list->count, c->span);
    list->count++;
  }
  return true;
}

/// The lengths of the axes in the layout that parameter 2 names, out of those in that of parameter 1.
static bool in_layout(const Call *c, RlxValue *list) {
  const RlxSInfo *s = tensor_of(c, c->slots[0]);
  const RlxValue *from = c->slots[1], *to = c->slots[2];
  if (!s || !s->dims || !from || !to || from->kind != RLX_VALUE_STR || to->kind != RLX_VALUE_STR)
    return false;
  RlxTopiShape shape = {.ndim = s->ndim}, other;
  if (s->ndim > RLX_TOPI_AXES) return false;
  for (int i = 0; i < s->ndim; i++)
    if (!rlx_prim_is_const(s->dims[i], &shape.lengths[i])) shape.lengths[i] = -1;
  const char *is = rlx_store_text(c->e->store, from->string),
             *wanted = rlx_store_text(c->e->store, to->string), *name = "topi.layout_transform";
  switch (rlx_topi_relayout(&shape, is, wanted, &other)) {
  case RLX_TOPI_FITS: break;
  case RLX_TOPI_OTHER_AXES:
    rlx_eval_report(c->e, RLX_DIAG_ID(LAYOUT), to->span, "ssss", name, "src_layout", is, wanted);
    return false;
  case RLX_TOPI_OTHER_RANK:
    rlx_eval_report(c->e, RLX_DIAG_ID(RANK), c->slots[0]->span, "ssss", name, "array",
                    rlx_arena_printf(c->e->arena, "rank %d", s->ndim),
                    rlx_arena_printf(c->e->arena, "that of layout \"%s\"", is));
    return false;
  case RLX_TOPI_UNKNOWN: return false;
  }
  list->items = rlx_arena_array(c->e->arena, RlxValue, other.ndim ? (size_t)other.ndim : 1);
  for (; list->count < (uint32_t)other.ndim; list->count++)
    list->items[list->count] = rlx_value_of_int(other.lengths[list->count], c->span);
  return true;
}

/// What holds where an argument is not given, by the words of topi.def; false: not known.
static bool default_of(const Call *c, const char *text, RlxValue *out) {
  *out = (RlxValue){.kind = RLX_VALUE_LIST, .span = c->span};
  if (strcmp(text, "ones") == 0) return axes_of_ones(c, out);
  if (strcmp(text, "axes") == 0) return new_axes(c, out);
  if (*text == '\'') return swapped(c, slot(c, text + 1), out);
  if (strcmp(text, "pairs") == 0) return pairs_of(c, out);
  if (strcmp(text, "layout") == 0) return in_layout(c, out);
  if (strcmp(text, "prim") == 0) {
    RlxValue prim = rlx_value_of_prim(rlx_prim_int(c->e->store, 1), c->span);
    *out = rlx_value_expr(rlx_expr_of(c->e, &prim));
    return true;
  }
  if (*text == '#') {
    const RlxValue *items = slot(c, text + 1);
    if (!items || items->kind != RLX_VALUE_LIST) return false;
    out->items = rlx_arena_array(c->e->arena, RlxValue, items->count ? items->count : 1);
    for (; out->count < items->count; out->count++)
      out->items[out->count] = rlx_value_of_int(out->count, c->span);
    return true;
  }
  char *end;
  long number = strtol(text, &end, 10);
  if (!*end) {
    *out = rlx_value_of_int(number, c->span);
    return true;
  }
  out->kind = RLX_VALUE_STR;
  out->string = rlx_store_intern(c->e->store, text, strlen(text));
  return true;
}

/// The operator's arguments. False: one of them is not known.
static bool arguments(const Call *c, RlxPyArgs *out) {
  const char *list = c->row->args;
  char word[WORD_MOST];
  out->at = rlx_arena_array(c->e->arena, RlxPyArg, PARAMS_MOST);
  while (out->count < PARAMS_MOST && next_word(&list, word)) {
    char *equals = strchr(word, '='), *colon = strchr(word, ':');
    if (equals) *equals = 0;
    if (colon) *colon = 0;
    const RlxValue *given = slot(c, equals ? equals + 1 : word);
    RlxPyArg arg = {.span = c->span, .keyword_span = c->span};
    if (given)
      arg.value = *given;
    else if (colon ? !default_of(c, colon + 1, &arg.value) : !equals)
      return false;
    else if (!colon)
      continue;
    if (equals) arg.keyword = rlx_store_intern(c->e->store, word, strlen(word));
    out->at[out->count++] = arg;
  }
  return true;
}

// ---- the result

/// The operator of the row, `nn.conv2d` for `nn.conv#d` of four dimensions.
static const RlxOpRow *operator_of(const Call *c, const RlxPyArgs *own) {
  char name[WORD_MOST], *number;
  strncpy(name, c->row->op, sizeof name - 1);
  name[sizeof name - 1] = 0;
  if ((number = strchr(name, '#'))) {
    const RlxExpr *x = rlx_expr_of(c->e, &own->at[0].value);
    int ndim = x && x->sinfo->kind == RLX_SINFO_TENSOR ? x->sinfo->ndim : -1;
    if (ndim < 3 || ndim > 5) return NULL;
    *number = (char)('0' + ndim - 2);
  }
  return rlx_op_find(name, strlen(name));
}

/// Takes over what the operator refuses and topi does, too.
static void take_refusals(const Call *c, const RlxSink *silent) {
  const struct {
    const char *name; ///< of topi's function; NULL: of any
    RlxDiagId id;
  } shared[] = {{NULL, RLX_DIAG_ID(AXIS_RANGE)},
                {NULL, RLX_DIAG_ID(SHAPE_BROADCAST)},
                {NULL, RLX_DIAG_ID(DTYPE_UNKNOWN)},
                {"nn.pool1d", RLX_DIAG_ID(RANK)},
                {"nn.pool2d", RLX_DIAG_ID(RANK)},
                {"nn.pool3d", RLX_DIAG_ID(RANK)},
                {"nn.adaptive_pool", RLX_DIAG_ID(RANK)},
                {"image.resize2d", RLX_DIAG_ID(RANK)},
                {"nn.conv2d", RLX_DIAG_ID(RANK)},
                {"broadcast_to", RLX_DIAG_ID(BROADCAST_TARGET)},
                {"broadcast_to", RLX_DIAG_ID(RANK)},
                {"transpose", RLX_DIAG_ID(AXIS_REPEATED)},
                {"transpose", RLX_DIAG_ID(AXES_COUNT)},
                {"nn.pad", RLX_DIAG_ID(LIST_LENGTH)},
                {"nn.reflect_pad", RLX_DIAG_ID(LIST_LENGTH)},
                {"nn.mirror_pad", RLX_DIAG_ID(LIST_LENGTH)},
                {"nn.batch_matmul", RLX_DIAG_ID(CONTRACTION)},
                {"nn.matmul", RLX_DIAG_ID(CONTRACTION)},
                {"nn.dense", RLX_DIAG_ID(CONTRACTION)}};
  for (uint32_t i = 0; i < silent->diags.count; i++)
    for (size_t k = 0; k < sizeof shared / sizeof *shared; k++)
      if (silent->diags.at[i]->id == shared[k].id &&
          (!shared[k].name || strcmp(shared[k].name, c->row->name) == 0))
        rlx_vec_push(&c->e->sink->diags, silent->diags.at[i]);
}

static const RlxSInfo *of_operator(const Call *c, RlxPyArgs *own, RlxSpan name_span) {
  RlxEval *e = c->e;
  const RlxOpRow *row = operator_of(c, own);
  if (!row) return NULL;
  RlxSink silent = {.arena = e->arena}, *before = e->sink;
  e->sink = &silent;
  RlxValue v = rlx_call_op(e, row, own, c->span, name_span);
  e->sink = before;
  take_refusals(c, &silent);
  rlx_vec_free(&silent.diags);
  return v.kind == RLX_VALUE_EXPR && !e->tainted ? v.expr->sinfo : NULL;
}

/// The dtype that the row says, by the words of topi.def; false: not known.
static bool dtype_of(const Call *c, RlxDType *out) {
  char name[WORD_MOST], *colon;
  RlxValue v = {.kind = RLX_VALUE_STR};
  strncpy(name, c->row->dtype + 1, sizeof name - 1);
  name[sizeof name - 1] = 0;
  if ((colon = strchr(name, ':'))) *colon = 0;
  const RlxValue *given = slot(c, name);
  if (*c->row->dtype == '@') {
    const RlxExpr *x = given ? rlx_expr_of(c->e, given) : NULL;
    if (!x || x->sinfo->kind != RLX_SINFO_TENSOR) return false;
    *out = x->sinfo->dtype;
    return true;
  }
  if (*c->row->dtype != '=')
    v.string = rlx_store_intern(c->e->store, c->row->dtype, strlen(c->row->dtype));
  else if (given)
    v = *given;
  else if (!colon || !default_of(c, colon + 1, &v))
    return false;
  if (v.kind == RLX_VALUE_DTYPE) {
    *out = rlx_unpack_dtype(v.integer);
    return true;
  }
  if (v.kind != RLX_VALUE_STR) return false;
  const char *text = rlx_store_text(c->e->store, v.string);
  return rlx_dtype_parse(text, strlen(text), out);
}

/// `sinfo` with the dtype that the row says; NULL: not known.
static const RlxSInfo *with_dtype(const Call *c, const RlxSInfo *sinfo) {
  RlxDType dtype;
  if (!sinfo || !*c->row->dtype) return sinfo;
  if (sinfo->kind != RLX_SINFO_TENSOR || !dtype_of(c, &dtype) || !rlx_dtype_known(dtype))
    return NULL;
  return sinfo->dims ? rlx_sinfo_tensor(c->e->store, sinfo->dims, sinfo->ndim, dtype, NULL)
                     : rlx_sinfo_tensor_ndim(c->e->store, sinfo->ndim, dtype, NULL);
}

/// What the row says of the call; NULL: it does not fit, or says too little.
static const RlxSInfo *of_row(Call *c, const RlxPyArgs *args, RlxSpan name_span) {
  RlxPyArgs own = {0};
  if (!bind(c, args) || !are_taken(c) || !arguments(c, &own) || !own.count) return NULL;
  if (*c->row->op) return with_dtype(c, of_operator(c, &own, name_span));
  const RlxExpr *as = rlx_expr_of(c->e, &own.at[0].value);
  return with_dtype(c, as ? as->sinfo : NULL);
}

/// Python calls the first argument with tensors of TE: what certainly is no function of Python's, or one
/// of Relax, is reported.
static void check_function(RlxEval *e, const RlxPyArgs *args, RlxSpan span) {
  const RlxValue *func = args->count ? &args->at[0].value : NULL;
  if (!func && !args->is_unknown)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_MISSING), span, "ss", "R.emit_te", "func");
  if (!func || func->kind == RLX_VALUE_UNKNOWN || args->at[0].keyword || e->tainted) return;
  const bool is_hole = (func->kind == RLX_VALUE_EXPR && func->expr->kind == RLX_EXPR_HOLE) ||
                       rlx_is_named_lambda(func);
  if (func->kind == RLX_VALUE_OP || (func->kind < RLX_VALUE_NAMESPACE && !is_hole))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), func->span, "ssss", "R.emit_te", "func",
                    rlx_value_text(e, func), "a function of Python that computes with TE tensors");
}

/// What of an argument TE surely makes no tensor or number of: a call, of which TVM knows no StructInfo yet, a shape or tuple that is a
/// variable, functions and strings of Relax, objects of Python's. NULL: nothing that is known.
/// Source: _convert_te_arg of relax's utils.py, in 0.25 and 0.27.
static const RlxValue *no_te_argument(const RlxEval *e, const RlxValue *v) {
  if (v->kind == RLX_VALUE_LIST || v->kind == RLX_VALUE_DICT) {
    for (uint32_t i = 0; i < v->count; i++) {
      const RlxValue *item = &v->items[i];
      const bool is_key = v->kind == RLX_VALUE_DICT && i % 2 == 0;
      const RlxValue *wrong = !is_key                               ? no_te_argument(e, item)
                              : rlx_word_is_no(item, RLX_VALUE_STR) ? item
                                                                    : NULL;
      if (wrong) return wrong;
    }
    return NULL;
  }
  const RlxPythonType type = rlx_python_type(e, v);
  if (v->kind == RLX_VALUE_CALLEE || type == RLX_PYTHON_FUNCTION || type == RLX_PYTHON_MODULE ||
      type == RLX_PYTHON_DTYPE || type == RLX_PYTHON_PROXY || type == RLX_PYTHON_OBJECT ||
      rlx_is_plain_object(v))
    return v;
  if (v->kind != RLX_VALUE_EXPR || rlx_expr_is_unknown(v->expr) || rlx_expr_is_reported(v->expr))
    return NULL;
  switch ((int)v->expr->kind) {
  case RLX_EXPR_CALL:
  case RLX_EXPR_GLOBAL:
  case RLX_EXPR_EXTERN:
  case RLX_EXPR_STRING:
  case RLX_EXPR_TUPLE:
  case RLX_EXPR_DTYPE: return v;
  case RLX_EXPR_VAR: {
    const RlxSInfoKind kind = v->expr->sinfo->kind;
    return kind == RLX_SINFO_SHAPE || kind == RLX_SINFO_TUPLE ? v : NULL;
  }
  default: return NULL;
  }
}

static void check_te_arguments(RlxEval *e, const RlxPyArgs *args) {
  for (uint32_t i = 1; i < args->count && rlx_refuse_may_tell(e); i++) {
    const RlxPyArg *arg = &args->at[i];
    const RlxValue *wrong = no_te_argument(e, &arg->value);
    if (!wrong || (arg->keyword && rlx_topi_steers(rlx_store_text(e->store, arg->keyword))))
      continue;
    const bool is_call = wrong->kind == RLX_VALUE_EXPR && wrong->expr->kind == RLX_EXPR_CALL;
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), wrong->span, "ssss", "R.emit_te", "args",
                    is_call ? "a call" : rlx_value_text(e, wrong),
                    is_call ? "a variable: bind its result to a name before"
                            : "tensors, numbers and written shapes");
  }
}

RlxValue rlx_topi_emit(RlxEval *e, const RlxPyArgs *args, RlxSpan span, RlxSpan name_span) {
  e->file->has_te = true;
  check_function(e, args, span);
  check_te_arguments(e, args);
  const bool is_path = args->count && args->at[0].value.kind == RLX_VALUE_NAMESPACE;
  if (args->is_unknown || args->count < 2 || !is_path) return unknown(e, span);
  const char *name = rlx_topi_name(rlx_store_text(e->store, args->at[0].value.string));
  RlxTaint tainted = e->tainted; // by an operand that is such a hole
  const RlxSInfo *sinfo = NULL;
  for (size_t i = 0; name && !sinfo && i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(rows[i].name, name) != 0) continue;
    Call c = {.e = e, .row = &rows[i], .span = span};
    const uint32_t reported = e->sink->diags.count;
    e->tainted = false;
    sinfo = of_row(&c, args, name_span);
    if (e->sink->diags.count > reported) break; // one mistake, one row
  }
  e->tainted |= tainted;
  if (!sinfo || (sinfo->kind != RLX_SINFO_TENSOR && sinfo->kind != RLX_SINFO_TUPLE))
    return unknown(e, span);
  return rlx_value_expr(rlx_expr_new(e, RLX_EXPR_HOLE, span, sinfo)); // what calls it is Python's
}
