/// Python's argument binding: what is written in a call, to the parameters of the operator's row.
/// Always true: each parameter has a value afterwards, and one mistake of a call is reported once.

#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/calls_impl.h"
#include "analyzer/eval/refuse.h"
#include "base/nearest.h"

// ---- defaults: Python literals in the rows

static const char *literal(RlxAnalyzer *a, const char *at, RlxValue *out) {
  while (*at == ' ') at++;
  memset(out, 0, sizeof *out);
  if (strncmp(at, "None", 4) == 0) return out->kind = RLX_VALUE_NONE, at + 4;
  if (strncmp(at, "True", 4) == 0) return out->kind = RLX_VALUE_BOOL, out->boolean = true, at + 4;
  if (strncmp(at, "False", 5) == 0) return out->kind = RLX_VALUE_BOOL, out->boolean = false, at + 5;
  if (*at == '"' || *at == '\'') {
    const char *end = strchr(at + 1, *at);
    if (!end) return at + strlen(at);
    out->kind = RLX_VALUE_STR;
    out->string = rlx_store_intern(a->store, at + 1, (size_t)(end - at - 1));
    return end + 1;
  }
  if (*at == '[' || *at == '(') {
    RlxValue items[16];
    uint32_t count = 0;
    out->is_tuple = *at == '(';
    at++;
    while (*at && *at != ']' && *at != ')' && count < 16) {
      at = literal(a, at, &items[count++]);
      while (*at == ' ' || *at == ',') at++;
    }
    out->kind = RLX_VALUE_LIST;
    out->count = count;
    out->items = rlx_arena_array(a->arena, RlxValue, count ? count : 1);
    memcpy(out->items, items, count * sizeof *items);
    return *at ? at + 1 : at;
  }
  char *end = NULL;
  double number = strtod(at, &end);
  if (end == at) {
    out->kind = RLX_VALUE_NONE;
    return at + strlen(at);
  }
  bool is_float = false;
  for (const char *c = at; c < end; c++)
    is_float |= *c == '.' || *c == 'e' || *c == 'n' || *c == 'i';
  out->kind = is_float ? RLX_VALUE_FLOAT : RLX_VALUE_INT;
  if (is_float)
    out->number = number;
  else
    out->integer = strtoll(at, NULL, 10);
  return end;
}

const RlxValue *rlx_op_defaults(RlxAnalyzer *a, const RlxOpRow *row) {
  RlxValue *known = rlx_map_get_ptr(&a->row_defaults, row);
  if (known) return known;
  RlxValue *values = rlx_arena_array(a->arena, RlxValue, row->param_count ? row->param_count : 1);
  for (int i = 0; i < row->param_count; i++) {
    if (row->params[i].default_text)
      literal(a, row->params[i].default_text, &values[i]);
    else
      values[i].kind = RLX_VALUE_ABSENT;
    values[i].is_default = true;
  }
  rlx_map_put_ptr(&a->row_defaults, row, values);
  return values;
}

// ---- parameters by name

/// Parameter `name` of the row, or -1: none, or one that takes what is left (*args). A packed function takes any keyword as an attribute, those
/// that other dialects have for its result among them.
static int find_param(const RlxEval *e, const RlxOpRow *row, const char *name) {
  int i = rlx_op_param(row, name);
  if (i < 0) i = rlx_op_later_param(row, name);
  if (i >= 0 && row->params[i].is_variadic) return -1;
  if (i < 0 || row->purity != RLX_OP_BY_ARGUMENT || rlx_eval_is_tlc(e)) return i;
  bool is_result = strcmp(row->params[i].name, "sinfo_args") == 0;
  return is_result && strcmp(name, rlx_eval_is_027(e) ? "ty_args" : "sinfo_args") != 0 ? -1 : i;
}

/// Whether no dialect that the function may be written in has the parameter.
static bool is_foreign(const RlxEval *e, const RlxOpParam *param) {
  if (!(param->until_025 || param->since_027) || !rlx_refuse_may_tell(e) || !e->fn) return false;
  RlxDialect has = param->until_025 ? RLX_DIALECT_025 : RLX_DIALECT_027;
  return !rlx_eval_may_be(e, has);
}

const char *rlx_op_param_of(const RlxEval *e, const RlxOpParam *param) {
  return rlx_op_param_word(param->name, rlx_eval_is_027(e));
}

/// `param`: the one that the keyword names, of another dialect; NULL: it names none. `before`: where
/// the argument in front of it ends; 0: it is the first.
static void report_keyword(RlxEval *e, const RlxOpRow *row, const RlxPyArg *arg,
                           const RlxOpParam *param, uint32_t before) {
  const char *name = rlx_store_text(e->store, arg->keyword), *hint = "";
  RlxNearest nearest = rlx_nearest_start(name);
  for (int i = 0; i < row->param_count && !param; i++)
    if (!is_foreign(e, &row->params[i]))
      rlx_nearest_try(&nearest, rlx_op_param_of(e, &row->params[i]));
  const char *elsewhere = param ? NULL : rlx_op_param_elsewhere(row, name);
  if (elsewhere && !nearest.best) nearest.best = elsewhere, nearest.is_tied = true;
  if (nearest.best) hint = rlx_arena_printf(e->arena, "; did you mean `%s`?", nearest.best);
  if (param) hint = param->until_025 ? " since 0.26" : " before 0.26";
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), arg->keyword_span, "sss",
                                  rlx_op_spelling(e->arena, row), name, hint);
  if (nearest.best)
    rlx_diag_fix(e->sink, diag, rlx_arena_printf(e->sink->arena, "change to `%s`", nearest.best),
                 arg->keyword_span, nearest.best);
  else if (before)
    rlx_diag_fix(e->sink, diag, "remove it", rlx_span(before, arg->span.end), "");
  if (nearest.is_tied) rlx_diag_fix_is_guess(diag);
}

// ---- binding

/// Arguments on their way to the parameters of a row.
typedef struct Binding {
  RlxEval *e;
  const RlxOpRow *row;
  const RlxPyArgs *args;
  RlxValue *values; ///< one a parameter; `is_default`: nothing was given so far
  int next;         ///< the parameter that the next argument without a keyword is for
  int rest;         ///< the parameter for other keywords; -1: there is none
  bool fine;        ///< nothing was reported
} Binding;

/// "remove it", with the comma before, of argument `k`, which is not the first.
static void fix_remove(const Binding *b, RlxDiag *diag, uint32_t k) {
  if (k)
    rlx_diag_fix(b->e->sink, diag, "remove it",
                 rlx_span(b->args->at[k - 1].span.end, b->args->at[k].span.end), "");
}

/// The operator takes its tensors as a tuple, and they are given one by one, behind the subscripts of R.einsum: one of them stands where
/// something else is expected.
static bool has_loose_tensors(const Binding *b) {
  const RlxOpRow *row = b->row;
  const RlxValue *first = b->args->count > 1 ? &b->args->at[0].value : NULL;
  if (!first || !row->param_count || row->params[0].kind != RLX_PARAM_TUPLE) return false;
  return first->kind == RLX_VALUE_STR ||
         (first->kind == RLX_VALUE_EXPR && first->expr->sinfo->kind == RLX_SINFO_TENSOR);
}

/// Whether the argument is a dimension: a number or a symbolic integer, by its place.
static bool is_dimension(const RlxPyArg *arg) {
  return !arg->keyword && (arg->value.kind == RLX_VALUE_INT || arg->value.kind == RLX_VALUE_PRIM);
}

static void fix_tuple(const Binding *b, RlxDiag *diag, RlxSpan first, RlxSpan last) {
  rlx_diag_fix(b->e->sink, diag, "write them as a tuple", rlx_span(first.start, first.start), "(");
  rlx_diag_fix_edit(b->e->sink, diag, rlx_span(last.end, last.end), ")");
}

/// `R.zeros(3, 4, "float32")`: the numbers in front are the shape that it takes first. False: they are something else.
static bool fix_spread_shape(const Binding *b, RlxDiag *diag) {
  uint32_t count = 0;
  while (count < b->args->count && is_dimension(&b->args->at[count])) count++;
  if (count < 2 || b->row->params[0].kind != RLX_PARAM_SHAPE ||
      b->args->count - count >= (uint32_t)b->row->param_count)
    return false;
  fix_tuple(b, diag, b->args->at[0].span, b->args->at[count - 1].span);
  return true;
}

static void take_keyword(Binding *b, uint32_t k) {
  const RlxPyArg *arg = &b->args->at[k];
  const RlxOpRow *row = b->row;
  const int i = find_param(b->e, row, rlx_store_text(b->e->store, arg->keyword));
  // of a packed function, any other keyword is an attribute
  if (i < 0 && (b->rest >= 0 || row->purity == RLX_OP_BY_ARGUMENT)) return;
  if (i < 0 || is_foreign(b->e, &row->params[i])) {
    report_keyword(b->e, row, arg, i < 0 ? NULL : &row->params[i],
                   k ? b->args->at[k - 1].span.end : 0);
    b->fine = false;
  } else if (!b->values[i].is_default) {
    RlxDiag *diag =
        rlx_eval_report(b->e, RLX_DIAG_ID(ARGUMENT_TWICE), arg->span, "ss",
                        rlx_op_spelling(b->e->arena, row), rlx_op_param_of(b->e, &row->params[i]));
    if (!fix_spread_shape(b, diag) && !has_loose_tensors(b)) fix_remove(b, diag, k);
    b->fine = false;
  } else {
    b->values[i] = arg->value;
    b->values[i].is_default = false;
  }
}

/// `R.reshape(x, 3, 4)`: the numbers from the last parameter on are the list that it takes. False: they are something else.
static bool fix_spread(const Binding *b, RlxDiag *diag, uint32_t k) {
  const uint32_t first = k ? k - 1 : 0;
  if (!k || b->next < 1 || b->next > b->row->param_count) return false;
  int last = b->next - 1;
  while (last > 0 && !b->values[last].span.end) last--;
  const RlxParamKind kind = b->row->params[last].kind;
  bool is_list = kind == RLX_PARAM_SHAPE || kind == RLX_PARAM_INTS;
  for (uint32_t i = first; i < b->args->count; i++)
    is_list &= is_dimension(&b->args->at[i]) &&
               (kind == RLX_PARAM_SHAPE || b->args->at[i].value.kind == RLX_VALUE_INT);
  if (is_list) fix_tuple(b, diag, b->args->at[first].span, b->args->at[b->args->count - 1].span);
  return is_list;
}

/// Argument `k` is one more than the row has parameters without a keyword.
static void report_count(Binding *b, uint32_t k) {
  int positional = 0, total = 0;
  for (int i = 0; i < b->row->param_count; i++)
    positional += !b->row->params[i].is_keyword_only && !is_foreign(b->e, &b->row->params[i]);
  for (uint32_t n = 0; n < b->args->count; n++) total += !b->args->at[n].keyword;
  RlxDiag *diag = rlx_eval_report(b->e, RLX_DIAG_ID(ARGUMENT_COUNT), b->args->at[k].span, "siis",
                                  rlx_op_spelling(b->e->arena, b->row), positional, total,
                                  positional == 1 ? "" : "s");
  if (!fix_spread(b, diag, k) && !fix_spread_shape(b, diag) && k + 1 == b->args->count &&
      !has_loose_tensors(b))
    fix_remove(b, diag, k);
}

/// False: there is no parameter for argument `k`, nor for those behind it.
static bool take_positional(Binding *b, uint32_t k) {
  const RlxOpRow *row = b->row;
  const RlxPyArg *arg = &b->args->at[k];
  while (b->next < row->param_count && (row->params[b->next].is_keyword_only || b->next == b->rest))
    b->next++;
  if (b->next >= row->param_count || is_foreign(b->e, &row->params[b->next])) {
    if (b->fine && !b->args->is_unknown) report_count(b, k);
    return b->fine = false;
  }
  RlxValue *slot = &b->values[b->next];
  if (!row->params[b->next].is_variadic) {
    *slot = arg->value;
    slot->is_default = false;
    b->next++;
    return true;
  }
  if (slot->is_default) {
    *slot = (RlxValue){.kind = RLX_VALUE_LIST, .is_tuple = true, .span = arg->span};
    slot->items = rlx_arena_array(b->e->arena, RlxValue, b->args->count);
  }
  slot->items[slot->count++] = arg->value;
  slot->span.end = arg->span.end;
  return true;
}

static void report_missing(Binding *b, int i, RlxSpan name_span) {
  const RlxOpRow *row = b->row;
  RlxDiag *diag =
      rlx_eval_report(b->e, RLX_DIAG_ID(ARGUMENT_MISSING), name_span, "ss",
                      rlx_op_spelling(b->e->arena, row), rlx_op_param_of(b->e, &row->params[i]));
  if (b->args->count && i == rlx_op_param(row, "out_sinfo"))
    rlx_call_tir_offer_output(b->e, row, b->values, diag, b->args->at[b->args->count - 1].span.end);
}

/// What is not given: defaults, and reports of what has none.
static void fill(Binding *b, RlxSpan span, RlxSpan name_span) {
  const RlxOpRow *row = b->row;
  const RlxValue *defaults_of = rlx_op_defaults(b->e->analyzer, row);
  for (int i = 0; i < row->param_count; i++) {
    RlxValue *slot = &b->values[i];
    if (!slot->is_default) continue;
    if (row->params[i].is_variadic) {
      *slot = (RlxValue){.kind = RLX_VALUE_LIST, .is_tuple = true, .span = span};
    } else if (!row->params[i].is_required) {
      *slot = defaults_of[i];
    } else if (b->args->is_unknown) {
      *slot = rlx_value_unknown(span);
    } else {
      slot->kind = RLX_VALUE_ABSENT;
      if (b->fine) report_missing(b, i, name_span);
      b->fine = false;
    }
  }
}

bool rlx_call_bind(RlxEval *e, const RlxOpRow *row, const RlxPyArgs *args, RlxValue *values,
                   RlxSpan span, RlxSpan name_span) {
  Binding b = {e, row, args, values, 0, rlx_op_param(row, "kwargs"), true};
  for (int i = 0; i < row->param_count; i++)
    values[i].kind = RLX_VALUE_ABSENT, values[i].is_default = true;
  bool goes_on = true;
  for (uint32_t k = 0; goes_on && k < args->count; k++)
    if (args->at[k].keyword)
      take_keyword(&b, k);
    else
      goes_on = take_positional(&b, k);
  fill(&b, span, name_span);
  return b.fine;
}
