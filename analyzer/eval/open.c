/// What Python alone knows, where it stands for a part of something: a dimension, a dtype, an
/// attribute. The rest is known, and is analysed.
/// Always true: a dimension that Python knows is a symbolic variable of its own, its stand-in; an
/// operator's report counts only where it is made for the stand-ins as they are and for every value
/// that is tried in place of what is not known, and its result only as far as none of these values
/// gives another one.
#include <ctype.h>
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/outer.h"

// ---- stand-ins

enum { NAME_MAX = 64 };

/// Whether two places of a function with this text mean one number: names, members, items, arithmetic of them, and calls, but for
/// those that give another number each time.
static bool is_steady(const char *text, uint32_t size) {
  if (!size || size > NAME_MAX || *text == '-' || (size == 1 && *text == '_')) return false;
  for (uint32_t i = 0, word = 0; i <= size; i++) {
    if (i < size && rlx_text_in_name(text[i])) continue;
    char name[NAME_MAX + 1] = {0};
    memcpy(name, text + word, i - word);
    if (i > word && rlx_text_is_among(name, "next iter pop popleft random rng randint rand choice "
                                            "integers input time count uuid lambda for"))
      return false;
    if (i < size && !strchr(". +-*/%[]'\"(),=", text[i])) return false;
    word = i + 1;
  }
  return true;
}

/// Whether `text` is a list or tuple of the script as a whole, with nothing in it that stands for several
/// items: `(n, m)`, and not `(n,) + s`, `(*s, n)`, `[i for i in s]`.
static bool is_display(const char *text, uint32_t size) {
  int depth = 0;
  bool begins = true; // an item
  if (size < 2 || (text[0] != '(' && text[0] != '[')) return false;
  for (uint32_t i = 0; i < size; i++) {
    const char c = text[i];
    if ((begins && c == '*') ||
        (isspace((unsigned char)c) && size - i > 5 && memcmp(text + i + 1, "for ", 4) == 0))
      return false;
    if (c == '(' || c == '[' || c == '{') depth++;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0 && i + 1 < size) return false;
    if (!isspace((unsigned char)c)) begins = c == ',' || c == '(' || c == '[';
  }
  return depth == 0;
}

/// Whether all functions of the file mean the same by `text`: a name of the module's, or its members and items.
static bool is_shared(const RlxEval *e, const char *text, uint32_t size) {
  uint32_t end = 0;
  while (end < size && rlx_text_in_name(text[end])) end++;
  for (uint32_t i = end; i < size; i++)
    if (!rlx_text_in_name(text[i]) && !strchr(".[]'\"", text[i])) return false;
  const RlxName name = rlx_store_intern(e->store, text, end);
  for (const RlxEnv *env = e->env ? e->env : e->fn->outer_env; env; env = env->parent)
    if (rlx_env_get(env, name)) return false;
  return rlx_outer_is_single(e->file, e->fn->stmt, name);
}

/// The stand-in of what is written as `text`.
static const RlxPrim *stand_in(RlxEval *e, const char *text, uint32_t size) {
  const char *name = rlx_arena_printf(e->arena, "{%.*s}", (int)size, text); // no name of the script
  const RlxName interned = rlx_store_intern(e->store, name, strlen(name));
  const bool shared = is_shared(e, text, size);
  const uint64_t scope = shared ? RLX_SCOPE_STAND_INS : e->fn->function.scope;
  const RlxPrim *p =
      rlx_prim_var(e->store, rlx_symvar(e->store, scope, interned, RLX_INT64, false));
  if (shared) rlx_prim_mark_dimension(e->store, p); // for good: whoever uses it first
  return p;
}

/// The value of a name that was looked up before; false: it is none of the function's and of what is around it.
static bool known_name(RlxEval *e, RlxName name, RlxValue *out) {
  const RlxEnv *env = e->env ? e->env : e->fn->outer_env;
  for (; env; env = env->parent) {
    const RlxDef *def = rlx_env_get(env, name);
    if (def) return *out = def->value, true;
  }
  return e->analyzer->hooks->outer_value(e->file, e->stmt, name, out);
}

/// A name with its members and items, in an item of which something is known to Python alone.
static const RlxPrim *term(RlxEval *e, const char *text, uint32_t size) {
  uint32_t end = 0;
  RlxValue v;
  while (end < size && text[end] != '.' && text[end] != '[') end++;
  const RlxName name = rlx_store_intern(e->store, text, end);
  if (rlx_locals_get(&e->locals, name)) return NULL; // of each turn of a comprehension
  if (end < size || !known_name(e, name, &v)) return stand_in(e, text, size);
  switch (v.kind) {
  case RLX_VALUE_UNKNOWN:
  case RLX_VALUE_NAMESPACE: return stand_in(e, text, size);
  case RLX_VALUE_INT: return rlx_prim_int(e->store, v.integer);
  case RLX_VALUE_PRIM: return v.prim;
  default: return NULL;
  }
}

const RlxPrim *rlx_open_dimension(RlxEval *e, const RlxValue *list, uint32_t i) {
  uint32_t size = 0;
  const char *text = rlx_document_text(e->file->document, &size);
  const RlxSpan item = list->items[i].span, whole = list->span;
  if (!e->fn || !e->stmt || (e->tainted & RLX_FAILED) || item.start < whole.start ||
      item.end > whole.end || item.end <= item.start || e->stmt->start + whole.end > size)
    return NULL;
  text += e->stmt->start;
  const uint32_t length = item.end - item.start;
  if (!is_display(text + whole.start, whole.end - whole.start) || length > NAME_MAX) return NULL;
  const RlxPrim *sum =
      rlx_prim_parse_terms(e, rlx_arena_strndup(e->arena, text + item.start, length), term);
  if (sum && !rlx_prim_as_var(sum)) return sum;
  if (!sum && !is_steady(text + item.start, length)) return NULL;
  return rlx_as_dimension(e, sum ? sum : stand_in(e, text + item.start, length));
}

// ---- operators

enum { STAND_INS = 4, CANDIDATES = 14, DTYPES = 3 };

/// What is tried in place of what is not known.
typedef struct Trial {
  RlxStore *store;
  RlxArena *arena;
  int64_t length;             ///< of every dimension that is not known, but for `lengths`
  int64_t lengths[STAND_INS]; ///< of the stand-ins in `vars`
  const RlxSymVar *vars[STAND_INS];
  uint32_t var_count;
  bool is_erased;     ///< ranks alone are left
  bool has_open_rank; ///< of an operand; no other rank is tried
  RlxDType dtypes[2]; ///< of the operands without one, by turns; unknown: it stays so
  uint32_t turn;
  int64_t number; ///< of an attribute
} Trial;

static int64_t tried_length(const Trial *t, const RlxSymVar *var) {
  for (uint32_t i = 0; i < t->var_count; i++)
    if (t->vars[i] == var) return t->lengths[i];
  return t->length;
}

static const RlxPrim *tried_prim(const Trial *t, const RlxPrim *p) {
  enum { MOST = 16 };
  const RlxSymVar *vars[MOST];
  const RlxPrim *values[MOST];
  int count = 0;
  if (!p || !p->vars || !t->length) return p;
  rlx_prim_vars(p, vars, &count, MOST);
  for (int i = 0; i < count; i++)
    values[i] = vars[i]->is_stand_in
                    ? rlx_prim_int_typed(t->store, tried_length(t, vars[i]), vars[i]->dtype)
                    : rlx_prim_var(t->store, vars[i]);
  const RlxSubst subst = {vars, values, count, false};
  return rlx_prim_simplify(t->store, rlx_prim_subst(t->store, p, &subst, NULL));
}

static const RlxPrim **tried_dims(Trial *t, const RlxPrim *const *dims, int count) {
  const RlxPrim **out = rlx_arena_array(t->arena, const RlxPrim *, count ? count : 1);
  for (int i = 0; i < count; i++) out[i] = tried_prim(t, dims[i]);
  return out;
}

/// Dimensions of which not even a stand-in is there.
static const RlxPrim **some_dims(Trial *t, int count) {
  const RlxPrim **out = rlx_arena_array(t->arena, const RlxPrim *, count ? count : 1);
  for (int i = 0; i < count; i++) out[i] = rlx_prim_int(t->store, t->length);
  return out;
}

/// One with more nodes is not looked into.
enum { NODES_MAX = 1024 };

static const RlxSInfo *tried_sinfo(Trial *t, const RlxSInfo *s) {
  if (!s || s->nodes > NODES_MAX) return s;
  if (s->kind == RLX_SINFO_TENSOR) {
    const RlxDType dtype = rlx_dtype_known(s->dtype) ? s->dtype : t->dtypes[t->turn++ % 2];
    if (s->shape_var)
      return rlx_sinfo_tensor_of(t->store, s->shape_var, s->ndim, dtype, s->vdevice);
    if (t->is_erased || (!s->dims && (!t->length || s->ndim < 0)))
      return rlx_sinfo_tensor_ndim(t->store, s->ndim, dtype, s->vdevice);
    if (!s->dims)
      return rlx_sinfo_tensor(t->store, some_dims(t, s->ndim), s->ndim, dtype, s->vdevice);
    return rlx_sinfo_tensor(t->store, tried_dims(t, s->dims, s->ndim), s->ndim, dtype, s->vdevice);
  }
  if (s->kind == RLX_SINFO_SHAPE && t->is_erased) return rlx_sinfo_shape(t->store, NULL, s->ndim);
  if (s->kind == RLX_SINFO_SHAPE && (s->dims || (t->length && s->ndim >= 0)))
    return rlx_sinfo_shape(
        t->store, s->dims ? tried_dims(t, s->dims, s->ndim) : some_dims(t, s->ndim), s->ndim);
  if (s->kind == RLX_SINFO_PRIM && s->value)
    return rlx_sinfo_prim(t->store, s->dtype, tried_prim(t, s->value));
  if (s->kind != RLX_SINFO_TUPLE) return s;
  const RlxSInfo **fields = rlx_arena_array(t->arena, const RlxSInfo *, s->count ? s->count : 1);
  for (int32_t i = 0; i < s->count; i++) fields[i] = tried_sinfo(t, s->fields[i]);
  return rlx_sinfo_tuple(t->store, fields, s->count);
}

static RlxExpr *tried_expr(Trial *t, const RlxExpr *x, int depth) {
  RlxExpr *out = rlx_arena_one(t->arena, RlxExpr);
  *out = *x;
  if (x->kind == RLX_EXPR_TUPLE && depth < 8) {
    const RlxSInfo **sinfos = rlx_arena_array(t->arena, const RlxSInfo *, x->field_count + 1);
    out->fields = rlx_arena_array(t->arena, RlxExpr *, x->field_count + 1);
    for (uint32_t i = 0; i < x->field_count; i++) {
      out->fields[i] = tried_expr(t, x->fields[i], depth + 1);
      sinfos[i] = out->fields[i]->sinfo;
    }
    out->sinfo = rlx_sinfo_tuple(t->store, sinfos, (int)x->field_count);
    return out;
  }
  out->sinfo = tried_sinfo(t, x->sinfo);
  if (x->kind == RLX_EXPR_SHAPE) out->dims = tried_dims(t, x->dims, x->dim_count);
  if (x->kind == RLX_EXPR_PRIM) out->prim = tried_prim(t, x->prim);
  return out;
}

static RlxValue tried_value(Trial *t, const RlxOpParam *param, const RlxValue *v) {
  RlxValue out = *v;
  switch (v->kind) {
  case RLX_VALUE_EXPR:
  case RLX_VALUE_CALLEE: out.expr = tried_expr(t, v->expr, 0); break;
  case RLX_VALUE_PRIM: out.prim = tried_prim(t, v->prim); break;
  case RLX_VALUE_SINFO: out.sinfo = tried_sinfo(t, v->sinfo); break;
  case RLX_VALUE_LIST:
    out.items = rlx_arena_array(t->arena, RlxValue, v->count ? v->count : 1);
    for (uint32_t i = 0; i < v->count; i++) out.items[i] = tried_value(t, param, &v->items[i]);
    break;
  case RLX_VALUE_UNKNOWN:
    if (param->kind == RLX_PARAM_INT || param->kind == RLX_PARAM_INTS)
      out = rlx_value_of_int(t->number, v->span);
    if (param->kind == RLX_PARAM_BOOL) out = rlx_value_of_bool(t->number & 1, v->span);
    break;
  default: break;
  }
  return out;
}

/// What is open in a value.
typedef enum Openness {
  CLOSED,
  PARTS,     ///< dimensions, dtypes
  RANK,      ///< of a tensor or shape
  ATTRIBUTE, ///< a number or a flag
  WHOLE      ///< a value of which nothing is known
} Openness;

static Openness most(Openness a, Openness b) { return a > b ? a : b; }

static Openness of_sinfo(const RlxSInfo *s) {
  Openness all = CLOSED;
  if (!s || s->nodes > NODES_MAX || s->kind == RLX_SINFO_OBJECT || s->kind == RLX_SINFO_DTENSOR)
    return WHOLE;
  if (rlx_sinfo_holds_dims(s)) return s->ndim < 0 ? RANK : PARTS;
  for (int32_t i = 0; s->kind == RLX_SINFO_TUPLE && i < s->count; i++)
    all = most(all, of_sinfo(s->fields[i]));
  return all;
}

static Openness of_value(const RlxOpParam *param, const RlxValue *v) {
  Openness all = CLOSED;
  if (v->kind == RLX_VALUE_EXPR) return of_sinfo(v->expr->sinfo);
  for (uint32_t i = 0; v->kind == RLX_VALUE_LIST && i < v->count; i++)
    all = most(all, of_value(param, &v->items[i]));
  if (v->kind != RLX_VALUE_UNKNOWN) return all;
  const bool is_number = param->kind == RLX_PARAM_INT || param->kind == RLX_PARAM_INTS ||
                         param->kind == RLX_PARAM_BOOL;
  return param->kind == RLX_PARAM_DTYPE ? PARTS : is_number ? ATTRIBUTE : WHOLE;
}

/// Whether the rank of an operand is open.
static bool has_open_rank(const RlxValue *v) {
  bool is_open = v->kind == RLX_VALUE_EXPR && of_sinfo(v->expr->sinfo) == RANK;
  for (uint32_t i = 0; v->kind == RLX_VALUE_LIST && i < v->count; i++)
    is_open |= has_open_rank(&v->items[i]);
  return is_open;
}

/// The first error of those that were reported; NULL: there is none.
static const RlxDiag *first_error(const RlxSink *sink) {
  for (uint32_t i = 0; i < sink->diags.count; i++)
    if (sink->diags.at[i]->severity == RLX_ERROR) return sink->diags.at[i];
  return NULL;
}

/// The rule's result for one trial; its report, if it makes one, in `*report`.
static const RlxSInfo *try_call(Trial *t, const RlxDeduce *d, const RlxCall *call,
                                const RlxDiag **report) {
  RlxSink sink = {.arena = t->arena};
  RlxDeduce one = *d;
  RlxCall tried = *call;
  one.sink = &sink;
  one.failed = false;
  t->turn = 0;
  tried.args = rlx_arena_array(t->arena, RlxValue, call->arg_count ? call->arg_count : 1);
  for (uint32_t i = 0; i < call->arg_count; i++)
    tried.args[i] = tried_value(t, &call->row->params[i], &call->args[i]);
  const RlxSInfo *sinfo = rlx_deduce(&one, &tried);
  *report = first_error(&sink);
  if (one.failed && !*report && sink.diags.count) *report = sink.diags.at[0];
  rlx_vec_free(&sink.diags);
  return sinfo;
}

/// Whether what is known of `result` is so in `tried` as well, which is what the trial gave.
static bool agrees(const Trial *t, const RlxSInfo *result, const RlxSInfo *tried) {
  if (result->kind == RLX_SINFO_OBJECT) return true;
  if (result->kind != tried->kind || result->nodes > NODES_MAX) return false;
  if (result->kind == RLX_SINFO_TUPLE) {
    if (result->count != tried->count) return false;
    for (int32_t i = 0; i < result->count; i++)
      if (!agrees(t, result->fields[i], tried->fields[i])) return false;
    return true;
  }
  if (result->kind == RLX_SINFO_TENSOR && rlx_dtype_known(result->dtype) &&
      !rlx_dtype_equal(result->dtype, tried->dtype))
    return false;
  if (!rlx_sinfo_holds_dims(result) || result->ndim < 0) return true;
  if (result->ndim != tried->ndim) return false;
  for (int i = 0; result->dims && tried->dims && i < result->ndim; i++) {
    int64_t a, b;
    const bool is_number = rlx_prim_is_const(tried->dims[i], &b);
    if (rlx_prim_is_const(result->dims[i], &a) && !is_number) return false;
    // What stands for a length can be another word of TVM's: `-{N}` is "what is left" where N is 1.
    if (is_number && rlx_prim_is_const(tried_prim(t, result->dims[i]), &a) && a != b) return false;
  }
  return true;
}

// The first broadcasts, the second is a multiple of most; the others may be ranks.
static const int64_t lengths[] = {1, 720720, 2, 3, 4};
static const RlxDType usual[] = {{RLX_DTYPE_FLOAT, 32, 1}, {RLX_DTYPE_INT, 64, 1},
                                 {RLX_DTYPE_INT, 32, 1},   {RLX_DTYPE_BOOL, 1, 1},
                                 {RLX_DTYPE_FLOAT, 16, 1}, {RLX_DTYPE_UINT, 8, 1}};
enum { LENGTHS = sizeof lengths / sizeof *lengths, USUAL = sizeof usual / sizeof *usual };

/// What stands in the operands: stand-ins, numbers that they may be, dtypes that others may have.
typedef struct Found {
  Trial *trial;
  int64_t candidates[CANDIDATES];
  RlxDType dtypes[USUAL + DTYPES];
  uint32_t count, dtype_count;
  bool is_coarse; ///< of an operand the rank alone is known
  bool are_many;  ///< stand-ins
  uint32_t
      given; ///< the first of the candidates, for which sums and products are solved; 0: not yet
} Found;

static void find_dtype(Found *f, RlxDType dtype) {
  bool is_known = !rlx_dtype_known(dtype) || f->dtype_count == USUAL + DTYPES;
  for (uint32_t i = 0; i < f->dtype_count; i++) is_known |= rlx_dtype_equal(f->dtypes[i], dtype);
  if (!is_known) f->dtypes[f->dtype_count++] = dtype;
}

static void find_number(Found *f, int64_t number) {
  bool is_known = f->count == CANDIDATES;
  for (uint32_t i = 0; i < f->count; i++) is_known |= f->candidates[i] == number;
  if (!is_known) f->candidates[f->count++] = number;
}

/// The value of the only variable in `p` for which it is `value`; false: none was found.
static bool solved(const RlxPrim *p, int64_t value, int64_t *out) {
  int64_t number, quotient;
  for (int depth = 0; depth < 8; depth++) {
    if (rlx_prim_as_var(p)) return *out = value, true;
    if (p->arg_count != 2) return false;
    const bool is_second = rlx_prim_is_const(p->args[0], &number);
    if (!is_second && !rlx_prim_is_const(p->args[1], &number)) return false;
    switch ((int)p->kind) {
    case RLX_PRIM_ADD:
      if (__builtin_sub_overflow(value, number, &value)) return false;
      break;
    case RLX_PRIM_SUB:
      if (is_second ? __builtin_sub_overflow(number, value, &value)
                    : __builtin_add_overflow(value, number, &value))
        return false;
      break;
    case RLX_PRIM_MUL:
      if (number <= 0 || value % number) return false;
      quotient = value / number;
      value = quotient;
      break;
    case RLX_PRIM_FLOORDIV:
      if (is_second || __builtin_mul_overflow(value, number, &value)) return false;
      break;
    case RLX_PRIM_FLOORMOD:
      if (is_second) return false;
      break;
    default: return false;
    }
    p = p->args[is_second];
  }
  return false;
}

static void find_in_prim(Found *f, const RlxPrim *p) {
  const RlxSymVar *vars[STAND_INS];
  int count = 0;
  int64_t number;
  Trial *t = f->trial;
  if (rlx_prim_is_const(p, &number)) find_number(f, number);
  for (uint32_t i = 0; i < f->given; i++)
    if (solved(p, f->candidates[i], &number)) find_number(f, number);
  rlx_prim_vars(p, vars, &count, STAND_INS);
  for (int i = 0; i < count; i++) {
    bool is_known = !vars[i]->is_stand_in;
    for (uint32_t k = 0; k < t->var_count; k++) is_known |= t->vars[k] == vars[i];
    if (!is_known && t->var_count < STAND_INS)
      t->vars[t->var_count++] = vars[i];
    else
      f->are_many |= !is_known;
  }
}

static void find_in_sinfo(Found *f, const RlxSInfo *s) {
  if (s->nodes > NODES_MAX) return;
  if (s->kind == RLX_SINFO_TENSOR) find_dtype(f, s->dtype);
  f->is_coarse |=
      rlx_sinfo_holds_dims(s) && !s->dims && !(s->kind == RLX_SINFO_TENSOR && s->shape_var);
  for (int i = 0; rlx_sinfo_holds_dims(s) && s->dims && i < s->ndim; i++)
    find_in_prim(f, s->dims[i]);
  for (int32_t i = 0; s->kind == RLX_SINFO_TUPLE && i < s->count; i++)
    find_in_sinfo(f, s->fields[i]);
}

static void find_in_value(Found *f, const RlxValue *v) {
  if (v->kind == RLX_VALUE_EXPR) find_in_sinfo(f, v->expr->sinfo);
  if (v->kind == RLX_VALUE_SINFO) find_in_sinfo(f, v->sinfo);
  if (v->kind == RLX_VALUE_PRIM) find_in_prim(f, v->prim);
  for (uint32_t i = 0; v->kind == RLX_VALUE_LIST && i < v->count; i++)
    find_in_value(f, &v->items[i]);
}

/// Whether a length stands for those that nothing is known of.
static bool has_others(const Found *f, const Trial *t) { return f->is_coarse || !t->var_count; }

/// How many ways there are to choose the trial's lengths among the candidates; `most` + 1: more than `most`.
static uint32_t ways(const Found *f, const Trial *t, uint32_t most) {
  uint64_t all = has_others(f, t) ? f->count : 1;
  for (uint32_t k = 0; k < t->var_count && all <= most; k++) all *= f->count;
  return all <= most ? (uint32_t)all : most + 1;
}

/// Gives the trial its lengths: the `i`th way to choose among the candidates.
static void choose_lengths(const Found *f, Trial *t, uint32_t i) {
  for (uint32_t k = 0; k < t->var_count; k++, i /= f->count)
    t->lengths[k] = f->candidates[i % f->count];
  t->length = has_others(f, t) ? f->candidates[i % f->count] : t->lengths[0];
}

/// The same where it is no matter which lengths there are: all of them the first candidate, or the second.
static void choose_equal(const Found *f, Trial *t, uint32_t i) {
  t->length = f->candidates[i];
  for (uint32_t k = 0; k < t->var_count; k++) t->lengths[k] = t->length;
}

/// Whether all lengths of the trial are `length`.
static bool has_lengths(const Trial *t, int64_t length) {
  bool are_equal = t->length == length;
  for (uint32_t k = 0; k < t->var_count; k++) are_equal &= t->lengths[k] == length;
  return are_equal;
}

/// Gives the trial its dtypes: the `i`th pair, unknown ones first. False: there are no more, or all dtypes are known.
static bool choose_dtypes(const Found *f, Trial *t, uint32_t i) {
  const RlxDType unknown = rlx_dtype_unknown();
  if (i > (t->turn ? f->dtype_count * f->dtype_count : 0)) return false;
  t->dtypes[0] = i ? f->dtypes[(i - 1) % f->dtype_count] : unknown;
  t->dtypes[1] = i ? f->dtypes[(i - 1) / f->dtype_count] : unknown;
  return true;
}

static bool is_of_dtypes(RlxDiagId id) {
  return id == RLX_DIAG_ID(DTYPE_MISMATCH) || id == RLX_DIAG_ID(DTYPE_CLASS);
}

/// Whether the rule refuses the call with `id` for what is known of ranks, or for dtypes that are tried.
static bool is_of_ranks(Trial *t, const Found *f, const RlxDeduce *d, const RlxCall *call,
                        RlxDiagId id) {
  const RlxDiag *report = NULL;
  bool fails = !is_of_dtypes(id);
  t->is_erased = true;
  for (uint32_t i = 0; fails && choose_dtypes(f, t, i); i++) {
    try_call(t, d, call, &report);
    fails = report && (report->id == id || (i && is_of_dtypes(report->id)));
  }
  t->is_erased = false;
  return fails;
}

/// How many operands have no dtype.
static uint32_t unknown_dtypes(Trial *t, const RlxDeduce *d, const RlxCall *call) {
  const RlxDiag *report;
  t->dtypes[0] = t->dtypes[1] = rlx_dtype_unknown();
  try_call(t, d, call, &report);
  return t->turn;
}

/// Whether the rule refuses the call for the trial's lengths, and for the reason `id` where all lengths are one and
/// dtypes stay unknown. Which dtypes there are is asked where all lengths are equal and usual. What is not about dtypes is no
/// reason there where a rank is open: it may be about the rank; nor where dtypes are the reason: these would do.
static bool is_refused(Trial *t, const Found *f, const RlxDeduce *d, const RlxCall *call,
                       RlxDiagId id) {
  const bool is_usual = has_lengths(t, lengths[0]) || has_lengths(t, lengths[1]);
  for (uint32_t k = 0; choose_dtypes(f, t, k) && (!k || is_usual); k++) {
    const RlxDiag *report;
    const RlxArenaMark mark = rlx_arena_mark(t->arena);
    try_call(t, d, call, &report);
    const bool is_other =
        !report || (!k && is_usual && report->id != id) ||
        (k && (t->has_open_rank || is_of_dtypes(id)) && !is_of_dtypes(report->id));
    rlx_arena_rewind(t->arena, mark);
    if (is_other) return false;
  }
  return true;
}

/// Whether the rule refuses the call whatever is tried, and for the reason `id` where all lengths are one and dtypes stay
/// unknown: what a rule asks of stand-ins alone, that they be numbers or equal, is no reason. `number` stands for attributes that
/// are not known.
static bool is_certain(RlxEval *e, const RlxDeduce *d, const RlxCall *call, RlxDiagId id,
                       int64_t number) {
  enum { MOST = 1000 };
  Trial t = {.store = e->store, .arena = d->scratch, .number = number};
  Found f = {.trial = &t};
  for (uint32_t i = 0; i < LENGTHS; i++) f.candidates[f.count++] = lengths[i];
  for (uint32_t i = 0; i < USUAL; i++) find_dtype(&f, usual[i]);
  for (uint32_t i = 0; i < call->arg_count; i++) {
    find_in_value(&f, &call->args[i]);
    t.has_open_rank |= has_open_rank(&call->args[i]);
  }
  f.given = f.count;
  for (uint32_t i = 0; i < call->arg_count; i++) find_in_value(&f, &call->args[i]);
  if (unknown_dtypes(&t, d, call) > 2 && is_of_dtypes(id)) return false; // two are tried at a time
  const bool ranks = is_of_ranks(&t, &f, d, call, id), are_equal = ranks || is_of_dtypes(id);
  if ((f.are_many || f.is_coarse) && !are_equal) return false;
  const uint32_t most = rlx_eval_most(e, MOST), count = are_equal ? 2 : ways(&f, &t, most);
  for (uint32_t i = 0; i < count && count <= most; i++) {
    if (are_equal)
      choose_equal(&f, &t, i);
    else
      choose_lengths(&f, &t, i);
    if (!is_refused(&t, &f, d, call, id)) return false;
  }
  return count <= most;
}

/// What the rule says of the call whatever number stands for attributes that are not known: it refuses them all, and most in the
/// same words, which then are about something else. NULL: it may take one.
static const RlxDiag *said_anyway(RlxEval *e, const RlxDeduce *d, const RlxCall *call) {
  static const int64_t numbers[] = {1,  0,  2,  -1, -2, 3,  4,  5,  6,   7,   8,   9,    10, 11, 12,
                                    14, 16, 20, 24, 32, 48, 64, 96, 128, 256, 512, 1024, -3, -4};
  enum { NUMBERS = sizeof numbers / sizeof *numbers };
  Trial t = {.store = e->store, .arena = d->scratch, .number = numbers[0]}, last = t;
  Found f = {.trial = &t};
  const RlxDiag *first, *report;
  try_call(&t, d, call, &first);
  if (!first || first->severity != RLX_ERROR) return NULL;
  for (uint32_t i = 0; i < call->arg_count; i++)
    if (has_open_rank(&call->args[i]) && !is_of_dtypes(first->id)) return NULL;
  for (uint32_t i = 0; i < call->arg_count; i++) find_in_value(&f, &call->args[i]);
  uint32_t alike = 1;
  for (uint32_t i = 1; i < NUMBERS + f.count; i++) {
    t.number = i < NUMBERS ? numbers[i] : f.candidates[i - NUMBERS];
    try_call(&t, d, call, &report);
    if (!report) return NULL;
    alike += report->id == first->id && strcmp(report->message, first->message) == 0;
  }
  if (2 * alike < NUMBERS + f.count || !is_certain(e, d, call, first->id, numbers[0])) return NULL;
  last.arena = e->sink->arena; // the report stays
  try_call(&last, d, call, &report);
  return report;
}

/// Whether no trial gives another result.
static bool holds(RlxEval *e, const RlxDeduce *d, const RlxCall *call, const RlxSInfo *result) {
  enum { TRIALS = 4 };
  Trial t = {.store = e->store, .arena = d->scratch};
  for (int i = 0; i < TRIALS; i++) {
    const RlxDiag *report;
    t.length = lengths[i % LENGTHS];
    t.dtypes[0] = usual[i % USUAL];
    t.dtypes[1] = usual[(i + i / 2) % USUAL];
    t.number = i - 1;
    const RlxSInfo *tried = try_call(&t, d, call, &report);
    if (!report && tried && !agrees(&t, result, tried)) return false;
  }
  return true;
}

/// Whether a length is -1, which is TVM's word for the number of dimensions of a shape of unknown rank.
static bool has_no_length(const RlxSInfo *s) {
  int64_t length;
  for (int i = 0; s && s->kind == RLX_SINFO_TENSOR && s->dims && i < s->ndim; i++)
    if (rlx_prim_is_const(s->dims[i], &length) && length < 0) return true;
  return false;
}

const RlxSInfo *rlx_open_deduce(RlxEval *e, RlxDeduce *d, const RlxCall *call, bool *failed) {
  RlxSink sink = {.arena = e->sink->arena};
  Openness open = CLOSED;
  e->tainted |= RLX_OPEN;
  d->sink = &sink;
  d->is_open = true;
  for (uint32_t i = 0; i < call->arg_count; i++)
    open = most(open, of_value(&call->row->params[i], &call->args[i]));
  const RlxSInfo *result = rlx_deduce(d, call);
  const RlxDiag *first = first_error(&sink), *anyway;
  *failed = d->failed || first;
  if (open == ATTRIBUTE && (anyway = said_anyway(e, d, call)) != NULL) {
    rlx_vec_push(&e->sink->diags, (RlxDiag *)(uintptr_t)anyway);
    *failed = true;
  } else if (first && (open < RANK || (open == RANK && is_of_dtypes(first->id))) &&
             !d->is_undecided && is_certain(e, d, call, first->id, 0)) {
    for (uint32_t i = 0; i < sink.diags.count; i++)
      if (sink.diags.at[i]->severity == RLX_ERROR) rlx_vec_push(&e->sink->diags, sink.diags.at[i]);
  } else if (!*failed && (has_no_length(result) || !holds(e, d, call, result)))
    result = NULL;
  rlx_vec_free(&sink.diags);
  return result;
}
