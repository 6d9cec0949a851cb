/// Calls of operators and functions: Python's argument binding against the operator's row,
/// conversion to what each parameter takes, deduction, purity.
/// Always true: a rule is never called with a hole; when the call reads something that was reported
/// before, the rule's own reports are dropped.
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/refuse.h"
#include "base/nearest.h"

static const char *row_text(RlxEval *e, const RlxOpRow *row) {
  return rlx_arena_printf(e->arena, "R.%.*s", (int)strcspn(row->script, " "), row->script);
}

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

/// Defaults of a row, in its parameters' order; ABSENT where there is none.
static const RlxValue *defaults(RlxAnalyzer *a, const RlxOpRow *row) {
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

// ---- conversion

static RlxValue hole(RlxEval *e, RlxSpan span) { return rlx_value_expr(rlx_expr_hole(e, span)); }

/// The expression that a Python list or number stands for; `v` when it stands for none.
static RlxValue of_python(RlxEval *e, const RlxValue *v) {
  RlxExpr *x = rlx_expr_of(e, v);
  if (!x) return *v;
  RlxValue out = rlx_value_expr(x); // n > 1 is taken for an expression by those that ask for it
  out.is_python = v->kind != RLX_VALUE_PRIM || !rlx_dtype_is_bool(v->prim->dtype);
  return out;
}

static RlxValue convert_tuple(RlxEval *e, RlxValue v) {
  if (v.kind == RLX_VALUE_UNKNOWN) return hole(e, v.span);
  if (v.kind != RLX_VALUE_LIST) return v;
  return of_python(e, &v);
}

static RlxValue convert_callee(RlxEval *e, RlxValue v) {
  if (v.kind == RLX_VALUE_UNKNOWN) return hole(e, v.span);
  if (v.kind == RLX_VALUE_FUNCTION) {
    union {
      const void *in;
      RlxFn *out;
    } fn = {.in = v.thing};
    if (fn.out->kind != RLX_ISLAND_RELAX && fn.out->kind != RLX_ISLAND_PRIM_FUNC)
      return hole(e, v.span);
    if (fn.out->kind == RLX_ISLAND_PRIM_FUNC && !fn.out->module && rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(VALUE_CALLEE), v.span, "s",
                      rlx_arena_printf(e->arena, "the PrimFunc `%s`, which belongs to no module,",
                                       rlx_store_text(e->store, fn.out->stmt->name)));
    RlxValue out = {.kind = RLX_VALUE_CALLEE, .span = v.span};
    out.expr = rlx_expr_function(e, fn.out, v.span);
    return out;
  }
  if (v.kind == RLX_VALUE_STR) {
    RlxExpr *x =
        rlx_expr_new(e, RLX_EXPR_EXTERN, v.span,
                     rlx_sinfo_func(e->store, NULL, 0, rlx_sinfo_object(e->store), RLX_IMPURE, 0));
    x->name = v.string;
    RlxValue out = {.kind = RLX_VALUE_CALLEE, .span = v.span};
    out.expr = x;
    return out;
  }
  if (v.kind == RLX_VALUE_EXPR) v.kind = RLX_VALUE_CALLEE;
  return v;
}

static RlxValue convert_sinfo(RlxEval *e, RlxValue v) {
  if (v.kind == RLX_VALUE_LIST) {
    RlxValue out = v;
    out.items = rlx_arena_array(e->arena, RlxValue, v.count ? v.count : 1);
    for (uint32_t i = 0; i < v.count; i++) out.items[i] = convert_sinfo(e, v.items[i]);
    return out;
  }
  if (v.kind == RLX_VALUE_DTYPE && rlx_refuse_may_tell(e)) { // a type as a whole annotation only
    char dtype[RLX_DTYPE_TEXT_MAX];
    rlx_dtype_text(rlx_unpack_dtype(v.integer), dtype);
    v.kind = RLX_VALUE_OTHER;
    v.text =
        rlx_arena_printf(e->arena, "the dtype T.%s: here write `R.Prim(\"%s\")`", dtype, dtype);
    return v;
  }
  const RlxSInfo *sinfo = v.kind == RLX_VALUE_NONE ? NULL : rlx_value_sinfo(e, &v);
  if (!sinfo) return v;
  RlxValue out = {.kind = RLX_VALUE_SINFO, .span = v.span, .is_bare = v.kind == RLX_VALUE_WORD};
  out.sinfo = sinfo;
  return out;
}

/// A constant of TensorIR as Python's number, where TVM's function takes both.
static RlxValue plain_number(const RlxOpParam *param, RlxValue v) {
  int64_t x;
  bool is_constant = v.kind == RLX_VALUE_PRIM && rlx_prim_is_const(v.prim, &x);
  return param->takes_imm && param->kind == RLX_PARAM_INT && is_constant
             ? rlx_value_of_int(x, v.span)
             : v;
}

static RlxValue convert(RlxEval *e, RlxParamKind kind, RlxValue v) {
  if (v.kind == RLX_VALUE_ABSENT) return v;
  if (v.kind == RLX_VALUE_CAST) {
    const RlxCastPair *pair = v.thing; // a match_cast inside a call: its pattern's StructInfo
    RlxExpr *x = rlx_expr_new(e, pair->value->kind, v.span, pair->sinfo);
    *x = *pair->value;
    x->sinfo = pair->sinfo;
    return rlx_value_expr(x);
  }
  switch (kind) {
  case RLX_PARAM_TENSOR:
    if (v.kind == RLX_VALUE_CALLEE) return rlx_value_expr(v.expr);
    return convert_tuple(e, v);
  case RLX_PARAM_EXPR: {
    if (v.kind == RLX_VALUE_LIST || v.kind == RLX_VALUE_PRIM) return of_python(e, &v);
    RlxExpr *x =
        v.kind == RLX_VALUE_EXPR || v.kind == RLX_VALUE_CALLEE || v.kind == RLX_VALUE_UNKNOWN
            ? rlx_expr_of(e, &v)
            : NULL;
    return x ? rlx_value_expr(x) : v;
  }
  case RLX_PARAM_SHAPE: {
    if (v.kind == RLX_VALUE_UNKNOWN) return hole(e, v.span);
    RlxExpr *x = v.kind == RLX_VALUE_LIST ? rlx_expr_shape(e, &v, v.span) : NULL;
    if (!x && v.kind == RLX_VALUE_LIST) rlx_shape_report(e, &v);
    if (!x) return v;
    RlxValue out = rlx_value_expr(x);
    out.is_tuple = true;
    return out;
  }
  case RLX_PARAM_TUPLE: return convert_tuple(e, v);
  case RLX_PARAM_CALLEE: return convert_callee(e, v);
  case RLX_PARAM_SINFO: return convert_sinfo(e, v);
  case RLX_PARAM_DTYPE:
    if (v.kind == RLX_VALUE_DTYPE) {
      char text[RLX_DTYPE_TEXT_MAX];
      rlx_dtype_text(rlx_unpack_dtype(v.integer), text);
      RlxValue out = {.kind = RLX_VALUE_STR, .span = v.span};
      out.string = rlx_store_intern(e->store, text, strlen(text));
      return out;
    }
    return v;
  case RLX_PARAM_PRIM:
  case RLX_PARAM_INT:
  case RLX_PARAM_FLOAT:
  case RLX_PARAM_BOOL:
  case RLX_PARAM_STR:
  case RLX_PARAM_INTS:
  case RLX_PARAM_ANY: break;
  }
  return v;
}

/// What the evaluator's own kinds are to an operator.
static void externalize(RlxEval *e, RlxValue *v) {
  if (v->kind < RLX_VALUE_NAMESPACE) return;
  RlxSpan span = v->span;
  bool may_be_any = v->kind == RLX_VALUE_NAMESPACE || v->kind == RLX_VALUE_TFUNC;
  if (may_be_any && rlx_python_type(e, v) == RLX_PYTHON_UNKNOWN) {
    *v = rlx_value_unknown(span);
    return;
  }
  const char *text = rlx_value_text(e, v);
  memset(v, 0, sizeof *v);
  v->kind = RLX_VALUE_OTHER;
  v->span = span;
  v->text = text;
}

static bool has_hole(const RlxValue *v) {
  if (v->kind == RLX_VALUE_EXPR || v->kind == RLX_VALUE_CALLEE) {
    const RlxExpr *x = v->expr;
    if (rlx_expr_is_unknown(x)) return true;
    if (x->kind == RLX_EXPR_TUPLE)
      for (uint32_t i = 0; i < x->field_count; i++)
        if (rlx_expr_is_unknown(x->fields[i])) return true;
    return false;
  }
  if (v->kind == RLX_VALUE_LIST)
    for (uint32_t i = 0; i < v->count; i++)
      if (has_hole(&v->items[i])) return true;
  return false;
}

// ---- argument binding

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
  return !rlx_fn_may_be(e->fn, has);
}

/// The parameter's name where the function is written.
static const char *word_of(const RlxEval *e, const RlxOpParam *param) {
  return rlx_op_param_word(param->name, rlx_eval_is_027(e));
}

/// `param`: the one that the keyword names, of another dialect; NULL: it names none. `before`: where
/// the argument in front of it ends; 0: it is the first.
static void report_keyword(RlxEval *e, const RlxOpRow *row, const RlxPyArg *arg,
                           const RlxOpParam *param, uint32_t before) {
  const char *name = rlx_store_text(e->store, arg->keyword), *hint = "";
  RlxNearest nearest = rlx_nearest_start(name);
  for (int i = 0; i < row->param_count && !param; i++)
    if (!is_foreign(e, &row->params[i])) rlx_nearest_try(&nearest, word_of(e, &row->params[i]));
  if (nearest.best) hint = rlx_arena_printf(e->arena, "; did you mean `%s`?", nearest.best);
  if (param) hint = param->until_025 ? " since 0.26" : " before 0.26";
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), arg->keyword_span, "sss",
                                  row_text(e, row), name, hint);
  if (nearest.best)
    rlx_diag_fix(e->sink, diag, rlx_arena_printf(e->sink->arena, "change to `%s`", nearest.best),
                 arg->keyword_span, nearest.best);
  else if (before)
    rlx_diag_fix(e->sink, diag, "remove it", rlx_span(before, arg->span.end), "");
  if (nearest.is_tied) rlx_diag_fix_is_guess(diag);
}

/// Puts `args` into `values`, one a parameter of the row. False when something was reported.
static bool bind(RlxEval *e, const RlxOpRow *row, const RlxPyArgs *args, RlxValue *values,
                 RlxSpan span, RlxSpan name_span) {
  int next = 0, given = 0;
  bool fine = true;
  const RlxValue *defaults_of = defaults(e->analyzer, row);
  for (int i = 0; i < row->param_count; i++)
    values[i].kind = RLX_VALUE_ABSENT, values[i].is_default = true;
  int rest = rlx_op_param(row, "kwargs");
  bool takes_attributes =
      rest >= 0 ||
      row->purity == RLX_OP_BY_ARGUMENT; // of a packed function: any other keyword is an attribute
  for (uint32_t k = 0; k < args->count; k++) {
    const RlxPyArg *arg = &args->at[k];
    if (arg->keyword) {
      int i = find_param(e, row, rlx_store_text(e->store, arg->keyword));
      if (i < 0 && takes_attributes) continue;
      if (i < 0 || is_foreign(e, &row->params[i])) {
        report_keyword(e, row, arg, i < 0 ? NULL : &row->params[i],
                       k ? args->at[k - 1].span.end : 0);
        fine = false;
      } else if (!values[i].is_default) {
        RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_TWICE), arg->span, "ss",
                                        row_text(e, row), word_of(e, &row->params[i]));
        if (k > 0)
          rlx_diag_fix(e->sink, diag, "remove it",
                       rlx_span(args->at[k - 1].span.end, arg->span.end), "");
        fine = false;
      } else
        values[i] = arg->value, values[i].is_default = false;
      continue;
    }
    given++;
    while (next < row->param_count && (row->params[next].is_keyword_only || next == rest)) next++;
    if (next >= row->param_count || is_foreign(e, &row->params[next])) {
      if (fine && !args->is_unknown) {
        int positional = 0;
        for (int i = 0; i < row->param_count; i++)
          positional += !row->params[i].is_keyword_only && !is_foreign(e, &row->params[i]);
        uint32_t total = 0;
        for (uint32_t n = 0; n < args->count; n++) total += !args->at[n].keyword;
        RlxDiag *diag =
            rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_COUNT), arg->span, "siis", row_text(e, row),
                            positional, (int)total, positional == 1 ? "" : "s");
        if (k > 0 && !arg->keyword && k + 1 == args->count)
          rlx_diag_fix(e->sink, diag, "remove it",
                       rlx_span(args->at[k - 1].span.end, arg->span.end), "");
      }
      fine = false;
      break;
    }
    RlxValue *slot = &values[next];
    if (row->params[next].is_variadic) {
      if (slot->is_default) {
        *slot = (RlxValue){.kind = RLX_VALUE_LIST, .is_tuple = true, .span = arg->span};
        slot->items = rlx_arena_array(e->arena, RlxValue, args->count);
      }
      slot->items[slot->count++] = arg->value;
      slot->span.end = arg->span.end;
    } else
      *slot = arg->value, slot->is_default = false, next++;
  }
  (void)given;
  for (int i = 0; i < row->param_count; i++) {
    if (!values[i].is_default) continue;
    if (row->params[i].is_variadic) {
      values[i] = (RlxValue){.kind = RLX_VALUE_LIST, .is_tuple = true, .span = span};
    } else if (!row->params[i].is_required) {
      values[i] = defaults_of[i];
    } else if (args->is_unknown) {
      values[i] = rlx_value_unknown(span);
    } else {
      values[i].kind = RLX_VALUE_ABSENT;
      if (fine)
        rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_MISSING), name_span, "ss", row_text(e, row),
                        word_of(e, &row->params[i]));
      fine = false;
    }
  }
  return fine;
}

// ---- deduction

/// Whether an R.func_attr above makes attribute `name` true: a definition like any other, so that
/// an edit of it reaches here.
static bool attr_is_true(RlxEval *e, const char *name) {
  RlxName id = rlx_attr_mark(e, name);
  rlx_vec_push(&e->reads, id);
  const RlxDef *def = e->env ? rlx_env_get(e->env, id) : NULL;
  return def && def->value.kind == RLX_VALUE_PRIM && def->value.prim->value;
}

static const char force_pure[] = "relax.force_pure";

/// What a call of R.func_attr says of relax.force_pure: 1 that it is True, 0 that it is not; -1: nothing.
static int forces_purity(const RlxEval *e, const RlxStmt *stmt) {
  const RlxAst *call = stmt->kind == RLX_STMT_EXPR ? stmt->value : NULL;
  if (!call || call->kind != RLX_AST_CALL || call->child_count < 2 ||
      call->children[0]->kind != RLX_AST_ATTRIBUTE ||
      strcmp(rlx_store_text(e->store, call->children[0]->name), "func_attr") != 0)
    return -1;
  const RlxAst *dict = call->children[1];
  if (dict->kind == RLX_AST_KEYWORD) dict = dict->children[0];
  for (uint32_t k = 0; dict->kind == RLX_AST_DICT && k + 1 < dict->child_count; k += 2) {
    const RlxAst *key = dict->children[k];
    if (key->kind == RLX_AST_STRING && key->text_size == strlen(force_pure) &&
        memcmp(key->text, force_pure, key->text_size) == 0)
      return dict->children[k + 1]->kind == RLX_AST_TRUE;
  }
  return -1;
}

/// Whether the first statement of the function's own suite from here on that says something of
/// relax.force_pure says True: it counts for the whole function.
static bool is_forced_pure_below(RlxEval *e) {
  const RlxBlock *body = e->fn->stmt->body;
  e->is_volatile = true; // that statement changes by itself
  for (uint32_t i = 0; body && !e->knows_forcing && i < body->count; i++) {
    if (forces_purity(e, body->stmts[i]) >= 0) rlx_vec_push(&e->forcing, body->stmts[i]);
  }
  e->knows_forcing = true;
  uint32_t low = 0, high = e->forcing.count; // the first one that stands here or below
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (e->forcing.at[middle]->start < e->stmt->start)
      low = middle + 1;
    else
      high = middle;
  }
  return low < e->forcing.count && forces_purity(e, e->forcing.at[low]) == 1;
}

/// Why the call has an effect, for the message.
static const char *impurity(RlxEval *e, const RlxOpRow *row, const RlxExpr *callee) {
  if (row && row->purity == RLX_OP_BY_ARGUMENT) return "a packed function may do anything";
  if (row && strcmp(row->registry, "relax.print") == 0) return "it prints";
  if (row && strcmp(row->registry, "relax.assert_op") == 0) return "it may stop the program";
  if (row && strcmp(row->registry, "relax.invoke_closure") == 0)
    return "the closure may have effects";
  if (row && strstr(row->registry, "kill_")) return "it frees memory";
  if (row && (strncmp(row->registry, "relax.vm.", 9) == 0 ||
              strcmp(row->registry, "relax.call_builtin_with_ctx") == 0))
    return "it changes the state of the virtual machine";
  if (callee && callee->kind == RLX_EXPR_GLOBAL && callee->callee) {
    const RlxAnalysis *unit = callee->callee->analysis;
    if (unit && unit->fn && unit->fn->kind == RLX_ISLAND_PRIM_FUNC)
      return "a PrimFunc writes into its arguments";
    return "it is declared with `pure=False`";
  }
  if (callee && callee->kind == RLX_EXPR_VAR && callee->var->is_param)
    return "its annotation says so";
  if (callee && callee->kind == RLX_EXPR_VAR) return "it is declared with `pure=False`";
  (void)e;
  return "a packed function may do anything";
}

/// `@R.function` to `@R.function(pure=False)`; `R.call_packed` to `R.call_pure_packed`. The
/// report leaves the declaration alone where other functions call this one.
static void purity_fixes(RlxEval *e, RlxDiag *diag, const RlxOpRow *row, RlxSpan span) {
  const RlxStmt *def = e->fn->stmt;
  bool has_false = false;
  if (row && strcmp(row->registry, "relax.call_packed") == 0 &&
      diag->id == RLX_DIAG_ID(IMPURE_DATAFLOW))
    rlx_diag_fix(e->sink, diag, "call it as a pure function", span, "call_pure_packed");
  if (e->fn->outer || diag->id == RLX_DIAG_ID(IMPURE_DATAFLOW)) return;
  for (uint32_t i = 0; i < def->decorator_count; i++) {
    const RlxAst *decorator = def->decorators[i];
    const RlxAst *head = decorator->kind == RLX_AST_CALL ? decorator->children[0] : decorator;
    if (head->kind != RLX_AST_ATTRIBUTE ||
        strcmp(rlx_store_text(e->store, head->name), "function") != 0)
      continue;
    for (uint32_t k = 1; decorator->kind == RLX_AST_CALL && k < decorator->child_count; k++) {
      const RlxAst *arg = decorator->children[k];
      has_false |=
          arg->kind != RLX_AST_KEYWORD || strcmp(rlx_store_text(e->store, arg->name), "pure") == 0;
    }
    if (has_false) continue;
    bool is_call = decorator->kind == RLX_AST_CALL;
    uint32_t at = is_call ? decorator->span.end - 1 : decorator->span.end;
    rlx_diag_fix_at(e->sink, diag, "declare the function impure", def, rlx_span(at, at),
                    !is_call                     ? "(pure=False)"
                    : decorator->child_count > 1 ? ", pure=False"
                                                 : "pure=False");
  }
}

static void check_purity(RlxEval *e, const char *what, RlxSpan span, const RlxOpRow *row,
                         const RlxExpr *callee) {
  e->impure = true;
  if (!e->fn || e->fn->kind != RLX_ISLAND_RELAX) return;
  if (rlx_eval_is_tlc(e)) return;
  if (e->in_dataflow) {
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(IMPURE_DATAFLOW), span, "ss", what,
                                    impurity(e, row, callee));
    purity_fixes(e, diag, row, span);
    return;
  }
  if (!e->fn->function.is_pure || attr_is_true(e, force_pure) || is_forced_pure_below(e)) return;
  // One missing pure=False is one mistake: the first impure call stands for all.
  RlxName name = e->analyzer->name_impure;
  rlx_vec_push(&e->reads, name);
  bool known = !e->env || rlx_env_get(e->env, name);
  for (uint32_t i = 0; i < e->defs.count; i++) known |= e->defs.at[i].name == name;
  if (known) return;
  bool tainted = e->tainted;
  RlxDiag *diag =
      rlx_eval_report(e, RLX_DIAG_ID(IMPURE_CALL), span, "ss", what, impurity(e, row, callee));
  if (callee && callee->kind == RLX_EXPR_GLOBAL && callee->callee)
    rlx_diag_related(e->sink, diag, callee->callee, callee->callee->name_span, "declared here");
  purity_fixes(e, diag, row, span);
  e->tainted = tainted; // nothing is wrong with the value
  rlx_diag_related(e->sink, diag, e->fn->stmt, e->fn->stmt->name_span, "declared pure here");
  RlxValue mark = {.kind = RLX_VALUE_NONE};
  rlx_define(e, name, mark, span);
}

/// A match_cast is bound to a variable: it is no operand.
static void refuse_cast(RlxEval *e, const RlxOpRow *row, int i, const RlxValue *v) {
  for (uint32_t k = 0; row->params[i].is_variadic && k < v->count; k++)
    if (v->items[k].kind == RLX_VALUE_CAST) v = &v->items[k];
  if (v->kind == RLX_VALUE_CAST && !e->tainted && !rlx_eval_is_tlc(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_KIND), v->span, "ssss", row_text(e, row),
                    word_of(e, &row->params[i]), "an expression", rlx_value_text(e, v));
}

/// What holds behind a call that succeeded.
static void learn(RlxEval *e, const RlxExpr *x) {
  const RlxOpRow *row = x->call->row;
  if (row->id == RLX_OP_ID(reshape) && !e->tainted)
    rlx_learn_reshape(e, rlx_arg_sinfo(x->call, 0), x->sinfo);
  const RlxSInfo *asserted = row->id == RLX_OP_ID(assert_op) ? rlx_arg_sinfo(x->call, 0) : NULL;
  if (asserted && asserted->kind == RLX_SINFO_PRIM && asserted->value)
    rlx_learn_condition(e, asserted->value, "assert_op");
}

/// A number of Python, or of T, as the scalar that TVM 0.27 makes of it: an integer is an int32 beside
/// another operand (R.add), an int64 where it is an index (R.take).
static RlxValue scalar_operand(RlxEval *e, const RlxOpRow *row, RlxValue v) {
  const RlxDType integer = row->params[0].takes_scalar ? RLX_INT32 : RLX_INT64;
  RlxValue number = {.kind = RLX_VALUE_PRIM, .span = v.span};
  if (v.kind == RLX_VALUE_FLOAT)
    number.prim = rlx_prim_float(e->store, v.number, RLX_FLOAT32);
  else if (v.kind == RLX_VALUE_INT)
    number.prim = rlx_prim_int_typed(e->store, v.integer, integer);
  else if (v.kind == RLX_VALUE_BOOL)
    number.prim = rlx_prim_int_typed(e->store, v.boolean, RLX_BOOL);
  else if (v.kind == RLX_VALUE_PRIM)
    number.prim = v.prim;
  else
    return v;
  return rlx_value_expr(rlx_expr_of(e, &number));
}

static RlxValue finish_op(RlxEval *e, const RlxOpRow *row, RlxValue *values, RlxSpan span,
                          RlxSpan name_span) {
  bool holes = false;
  for (int i = 0; i < row->param_count; i++) {
    if (values[i].is_default) continue;
    RlxSpan arg_span = values[i].span;
    refuse_cast(e, row, i, &values[i]);
    if (row->params[i].kind == RLX_PARAM_DTYPE)
      rlx_dtype_maker_report(e, row_text(e, row), row->params[i].name, &values[i]);
    if (row->params[i].is_variadic) {
      for (uint32_t k = 0; k < values[i].count; k++)
        values[i].items[k] = convert(e, row->params[i].kind, values[i].items[k]),
        externalize(e, &values[i].items[k]);
      if (row->params[i].kind == RLX_PARAM_TUPLE)
        values[i] = convert(e, RLX_PARAM_TUPLE, values[i]);
    } else if (row->params[i].takes_scalar && rlx_eval_is_027(e))
      values[i] = convert(e, row->params[i].kind, scalar_operand(e, row, values[i]));
    else
      values[i] = plain_number(&row->params[i], convert(e, row->params[i].kind, values[i]));
    if (values[i].kind == RLX_VALUE_LAMBDA && row->params[i].kind == RLX_PARAM_ANY)
      values[i] = rlx_lambda_value(e, values[i].thing);
    values[i].span = arg_span;
    externalize(e, &values[i]);
    if (row->params[i].kind == RLX_PARAM_TUPLE && values[i].kind == RLX_VALUE_LIST)
      for (uint32_t k = 0; k < values[i].count; k++) externalize(e, &values[i].items[k]);
    holes |= has_hole(&values[i]);
  }
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_CALL, span, rlx_sinfo_object(e->store));
  x->call->row = row;
  x->call->is_027 = rlx_eval_is_027(e);
  x->call->args = values;
  x->call->arg_count = (uint32_t)row->param_count;
  x->call->span = span;
  x->call->name_span = name_span;
  if (row->purity != RLX_OP_PURE)
    check_purity(e, rlx_arena_printf(e->arena, "`%s`", row_text(e, row)), name_span, row, NULL);
  if (holes) {
    e->tainted = true;
    return rlx_value_expr(x);
  }
  if (row->id == RLX_OP_ID(call_dps_packed) && rlx_eval_is_tlc(e) &&
      values[2].kind == RLX_VALUE_SINFO && !values[2].sinfo->dims) { // its shape is a value
    x->sinfo = values[2].sinfo;
    return rlx_value_expr(x);
  }
  e->file->has_inplace |=
      row->id == RLX_OP_ID(call_tir_inplace) || row->id == RLX_OP_ID(call_inplace_packed);
  RlxValue v = rlx_deduce_call(e, x);
  learn(e, x);
  uint32_t reported = e->sink->diags.count;
  rlx_check_call_tir(e, x);
  rlx_blame_call(e, name_span, reported);
  return v;
}

/// The StructInfo that a shape (or a list of shapes) and a dtype stand for in the older forms of
/// R.call_tir.
static RlxValue output_of(RlxEval *e, const RlxValue *shape, const RlxValue *dtype,
                          uint32_t depth) {
  bool is_list = depth < 2 && shape->kind == RLX_VALUE_LIST && shape->count &&
                 shape->items[0].kind == RLX_VALUE_LIST;
  if (is_list) {
    RlxValue list = *shape;
    list.items = rlx_arena_array(e->arena, RlxValue, shape->count);
    for (uint32_t i = 0; i < shape->count; i++)
      list.items[i] = output_of(e, &shape->items[i],
                                dtype && dtype->kind == RLX_VALUE_LIST
                                    ? (i < dtype->count ? &dtype->items[i] : NULL)
                                    : dtype,
                                depth + 1);
    list.is_tuple = false;
    return list;
  }
  RlxPyArg parts[2] = {{0, *shape, shape->span, shape->span},
                       {0, dtype ? *dtype : rlx_value_none(), shape->span, shape->span}};
  return rlx_eval_sinfo_call(e, RLX_WORD_TENSOR, &(RlxPyArgs){parts, 2, false}, shape->span);
}

static bool is_shape(const RlxValue *v) {
  return v->kind == RLX_VALUE_LIST ||
         (v->kind == RLX_VALUE_EXPR && v->expr->sinfo->kind == RLX_SINFO_SHAPE);
}

/// R.call_tir(f, (x,), (n, m), dtype="float32") and R.call_tir((n, m), f, [x]) of older dialects,
/// meant as R.call_tir(f, (x,), R.Tensor((n, m), "float32")); of a named function as
/// R.call_dps_packed.
static void retell_call_tir(RlxEval *e, const RlxOpRow **row, RlxPyArgs *args) {
  int at[3] = {-1, -1, -1}, count = 0, dtype_at = -1;
  for (uint32_t i = 0; i < args->count; i++) {
    const char *keyword =
        args->at[i].keyword ? rlx_store_text(e->store, args->at[i].keyword) : NULL;
    if (!keyword && count < 3) at[count++] = (int)i;
    if (keyword && strcmp(keyword, "dtype") == 0) dtype_at = (int)i;
  }
  if (count < 3 || args->is_unknown) return;
  const RlxValue *first = &args->at[at[0]].value, *second = &args->at[at[1]].value;
  bool shape_first =
      is_shape(first) && (second->kind == RLX_VALUE_STR || second->kind == RLX_VALUE_CALLEE ||
                          second->kind == RLX_VALUE_FUNCTION);
  if (!shape_first && dtype_at < 0) return;
  RlxPyArg f = args->at[at[shape_first ? 1 : 0]], list = args->at[at[shape_first ? 2 : 1]],
           shape = args->at[at[shape_first ? 0 : 2]];
  RlxValue dtype = dtype_at >= 0 ? args->at[dtype_at].value : rlx_value_none();
  const RlxValue *input =
      list.value.kind == RLX_VALUE_LIST && list.value.count ? &list.value.items[0] : &list.value;
  // What a PrimFunc gives is most likely what it takes; of a packed function nothing is known.
  if (dtype_at < 0 && f.value.kind != RLX_VALUE_STR && input->kind == RLX_VALUE_EXPR &&
      input->expr->sinfo->kind == RLX_SINFO_TENSOR && rlx_dtype_known(input->expr->sinfo->dtype)) {
    dtype.kind = RLX_VALUE_DTYPE; // of the first input
    dtype.integer = rlx_pack_dtype(input->expr->sinfo->dtype);
  }
  shape.value = output_of(e, &shape.value, &dtype, 0);
  RlxPyArg *told = rlx_arena_array(e->arena, RlxPyArg, args->count);
  uint32_t told_count = 3;
  told[0] = f, told[1] = list, told[2] = shape;
  for (uint32_t i = 0; i < args->count; i++)
    if ((int)i != at[0] && (int)i != at[1] && (int)i != at[2] && (int)i != dtype_at)
      told[told_count++] = args->at[i];
  args->at = told;
  args->count = told_count;
  if (f.value.kind == RLX_VALUE_STR) *row = rlx_op_row(RLX_OP_ID(call_dps_packed));
}

RlxValue rlx_call_op(RlxEval *e, const RlxOpRow *row, RlxPyArgs *args, RlxSpan span,
                     RlxSpan name_span) {
  if (row->id == RLX_OP_ID(call_tir)) {
    retell_call_tir(e, &row, args);
    if (rlx_eval_is_tlc(e) && args->count && !args->at[0].keyword &&
        args->at[0].value.kind == RLX_VALUE_STR)
      row = rlx_op_row(RLX_OP_ID(call_dps_packed));
  }
  if (row->id == RLX_OP_ID(builtin_alloc_tensor) && rlx_eval_is_tlc(e) && args->count &&
      args->at[0].value.kind == RLX_VALUE_LIST) {
    RlxExpr *shape = rlx_expr_shape(e, &args->at[0].value, args->at[0].span);
    if (shape) args->at[0].value = rlx_value_expr(shape);
  }
  RlxValue *values = rlx_arena_array(e->arena, RlxValue, row->param_count ? row->param_count : 1);
  uint32_t reported = e->sink->diags.count;
  bool fine = bind(e, row, args, values, span, name_span);
  rlx_blame_call(e, name_span, reported);
  if (!fine) return rlx_eval_failed(e, span);
  return finish_op(e, row, values, span, name_span);
}

RlxValue rlx_call_op_values(RlxEval *e, const RlxOpRow *row, RlxValue *given, uint32_t count,
                            RlxSpan span, RlxSpan name_span) {
  if (!row) return rlx_eval_failed(e, span);
  RlxValue *values = rlx_arena_array(e->arena, RlxValue, row->param_count ? row->param_count : 1);
  const RlxValue *defaults_of = defaults(e->analyzer, row);
  for (int i = 0; i < row->param_count; i++) {
    if ((uint32_t)i < count)
      values[i] = given[i], values[i].is_default = false;
    else
      values[i] = defaults_of[i];
  }
  return finish_op(e, row, values, span, name_span);
}

// ---- functions

static const char *callee_text(RlxEval *e, const RlxExpr *callee) {
  if (callee->kind == RLX_EXPR_GLOBAL || callee->kind == RLX_EXPR_EXTERN)
    return rlx_store_text(e->store, callee->name);
  if (callee->kind == RLX_EXPR_VAR) return rlx_store_text(e->store, callee->var->name);
  return "the function";
}

static RlxSpan span_of_argument(const RlxExpr *call, int i) { return call->call->args[i].span; }

static void report_problem(RlxEval *e, const RlxExpr *callee, const RlxExpr *call,
                           const RlxCallProblem *problem, const RlxBuf *why) {
  const RlxSInfo *func = callee->sinfo;
  if (problem->bad_count) {
    const RlxStmt *def = callee->kind == RLX_EXPR_GLOBAL ? callee->callee : NULL;
    const RlxAnalysis *unit = def ? def->analysis : NULL;
    bool is_prim = unit && unit->fn && unit->fn->kind == RLX_ISLAND_PRIM_FUNC;
    RlxDiag *diag =
        rlx_eval_report(e, RLX_DIAG_ID(CALL_ARITY), call->call->name_span, "siis",
                        callee_text(e, callee), (int)func->count, (int)call->call->arg_count,
                        is_prim ? "; `R.call_tir` allocates a PrimFunc's outputs" : "");
    if ((int)call->call->arg_count > (int)func->count) diag->parameter = RLX_PARAMETER_BEYOND;
    if (def) rlx_diag_related(e->sink, diag, def, def->name_span, "declared here");
    return;
  }
  const RlxValue *arg = &call->call->args[problem->bad_arg];
  RlxBuf given = {0}, expected = {0};
  rlx_sinfo_tell(e->store, arg->expr->sinfo, &given);
  rlx_sinfo_tell(e->store, func->params[problem->bad_arg], &expected);
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(CALL_ARGUMENT), arg->span, "issss",
                                  problem->bad_arg, callee_text(e, callee), rlx_buf_text(&given),
                                  rlx_buf_text(&expected), rlx_buf_text(why));
  diag->parameter = (uint16_t)(problem->bad_arg + 1);
  const RlxSInfo **args = rlx_arena_array(e->arena, const RlxSInfo *, call->call->arg_count);
  for (uint32_t i = 0; i < call->call->arg_count; i++) args[i] = call->call->args[i].expr->sinfo;
  rlx_blame_bindings(e, diag, func, args, (int)call->call->arg_count, problem->bad_arg,
                     span_of_argument, call);
  if (callee->kind == RLX_EXPR_GLOBAL && callee->callee)
    rlx_diag_related(e->sink, diag, callee->callee, callee->callee->name_span, "declared here");
  rlx_buf_free(&given);
  rlx_buf_free(&expected);
}

/// What an opaque function gives: by its derive rule, whose name TVM's runtime registers, or its
/// result's StructInfo.
static const RlxSInfo *derived(RlxEval *e, const RlxSInfo *func, const RlxExpr *call) {
  const struct {
    const char *derive;
    RlxOpId op; ///< whose arguments and rule they are
  } rules[] = {{"tvm.relax.struct_info.infer_view_sinfo", RLX_OP_ID(memory_view)}};
  const RlxSInfo *ret = func->ret ? func->ret : rlx_sinfo_object(e->store);
  if (!func->derive) return ret;
  const char *name = rlx_store_text(e->store, func->derive);
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    const RlxOpRow *row = rlx_op_row(rules[i].op);
    if (strcmp(rules[i].derive, name) != 0 || call->call->arg_count > (uint32_t)row->param_count)
      continue;
    RlxValue *values = rlx_arena_array(e->arena, RlxValue, row->param_count);
    memcpy(values, call->call->args, call->call->arg_count * sizeof *values);
    RlxValue v = rlx_call_op_values(e, row, values, call->call->arg_count, call->call->span,
                                    call->call->name_span);
    return v.kind == RLX_VALUE_EXPR ? v.expr->sinfo : ret;
  }
  return ret;
}

/// A local function that calls itself states its result, and does not stand in a dataflow block.
static void check_recursion(RlxEval *e, const RlxExpr *callee, RlxSpan span) {
  if (callee->kind != RLX_EXPR_VAR) return;
  const RlxFn *fn = e->fn;
  while (fn && fn->outer && fn->stmt != callee->var->stmt) fn = fn->outer;
  if (!fn || !fn->outer) return;
  const RlxStmt *def = fn->stmt;
  RlxDiag *diag = NULL;
  bool tainted = e->tainted;
  if (callee->var->in_dataflow) {
    diag = rlx_eval_report(
        e, RLX_DIAG_ID(DATAFLOW_CONTROL), span, "s",
        rlx_arena_printf(e->arena, "`%s`, which calls itself,", callee_text(e, callee)));
  } else if (!def->annotation) {
    diag =
        rlx_eval_report(e, RLX_DIAG_ID(RECURSION_UNANNOTATED), span, "s", callee_text(e, callee));
    uint32_t size = 0, at = def->head_size - 1;
    const char *text = rlx_document_text(e->file->document, &size);
    if (def->start + at < size && text[def->start + at] == ':')
      rlx_diag_fix_at(e->sink, diag, "return `R.Object`", def, rlx_span(at, at), " -> R.Object");
  } else if (!fn->is_declared_pure)
    diag = rlx_eval_report(e, RLX_DIAG_ID(RECURSION_IMPURE), span, "s", callee_text(e, callee));
  if (diag) rlx_diag_related(e->sink, diag, def, def->name_span, "defined here");
  e->tainted = tainted; // nothing is wrong with the value
}

/// A function takes Relax expressions: a Python number, a string or a symbolic expression is none.
/// Reported with the way to write it; the call goes on with what is meant.
static void check_argument(RlxEval *e, const RlxValue *v, RlxSpan span) {
  const char *maker = v->kind == RLX_VALUE_STR ? "R.str"
                      : v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT ||
                              v->kind == RLX_VALUE_BOOL || v->kind == RLX_VALUE_PRIM
                          ? "R.prim_value"
                          : NULL;
  if (!maker || e->tainted) return;
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(VALUE_INVALID), span, "s", rlx_value_text(e, v));
  e->tainted = false;
  uint32_t size = 0;
  const char *text = rlx_document_text(e->file->document, &size);
  uint32_t start = e->stmt->start + span.start, end = e->stmt->start + span.end;
  if (end <= size && start < end)
    rlx_diag_fix(
        e->sink, diag, rlx_arena_printf(e->sink->arena, "write it as `%s(…)`", maker), span,
        rlx_arena_printf(e->sink->arena, "%s(%.*s)", maker, (int)(end - start), text + start));
}

/// From 0.26 on a number is a scalar where a function takes one: of the parameter's dtype, else of
/// Python's.
static void make_scalar(RlxEval *e, const RlxExpr *callee, uint32_t i, RlxValue *v) {
  bool is_number =
      v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT || v->kind == RLX_VALUE_BOOL;
  if (!rlx_eval_is_027(e) || !is_number) return;
  const RlxSInfo *func = callee->sinfo;
  const RlxSInfo *param = func->kind == RLX_SINFO_FUNC && func->params && i < (uint32_t)func->count
                              ? func->params[i]
                              : NULL;
  RlxDType dtype = param && param->kind == RLX_SINFO_PRIM ? param->dtype : rlx_dtype_unknown();
  const RlxPrim *prim;
  if (v->kind == RLX_VALUE_FLOAT)
    prim = rlx_prim_float(e->store, v->number, rlx_dtype_is_float(dtype) ? dtype : RLX_FLOAT32);
  else if (v->kind == RLX_VALUE_BOOL)
    prim = rlx_prim_int_typed(e->store, v->boolean, RLX_BOOL);
  else
    prim = rlx_prim_int_typed(e->store, v->integer, rlx_dtype_is_int(dtype) ? dtype : RLX_INT32);
  *v = (RlxValue){.kind = RLX_VALUE_PRIM, .prim = prim, .span = v->span};
}

/// A function takes its arguments by place. Values of functions also take `attrs`; in tlc-pack's
/// dialect any keyword was an attribute.
static void check_keyword(RlxEval *e, const RlxExpr *callee, const RlxPyArg *arg) {
  const char *name = rlx_store_text(e->store, arg->keyword);
  bool is_attrs = callee->kind != RLX_EXPR_GLOBAL && strcmp(name, "attrs") == 0;
  if (is_attrs || rlx_eval_is_tlc(e) || e->tainted || !e->fn || e->fn->kind != RLX_ISLAND_RELAX)
    return;
  rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), arg->keyword_span, "sss",
                  callee_text(e, callee), name, "");
}

/// Whether an error in the function's signature, or in its body where it stands before this one, is
/// why its result is not known.
static bool gives_nothing_known(const RlxEval *e, const RlxExpr *callee) {
  if (callee->kind != RLX_EXPR_GLOBAL || !callee->callee || !e->fn) return false;
  const RlxAnalysis *unit = callee->callee->analysis;
  if (!unit || !unit->fn) return false;
  return unit->fn->header_failed ||
         (unit->fn->ret_failed && callee->callee->start < rlx_fn_outermost(e->fn)->stmt->start);
}

/// The call's arguments as Relax expressions, their StructInfos into `sinfos`; false after a report of one
/// that is none. `*holes`: not all is known of them.
static bool take_arguments(RlxEval *e, RlxExpr *x, RlxPyArgs *args, const RlxSInfo **sinfos,
                           bool *holes) {
  *holes = args->is_unknown;
  for (uint32_t i = 0; i < args->count; i++) {
    if (args->at[i].keyword) {
      check_keyword(e, x->call->callee, &args->at[i]);
      continue;
    }
    make_scalar(e, x->call->callee, i, &args->at[i].value);
    RlxExpr *arg = rlx_expr_of(e, &args->at[i].value);
    if (!arg) {
      rlx_eval_report(e, RLX_DIAG_ID(VALUE_INVALID), args->at[i].span, "s",
                      rlx_value_text(e, &args->at[i].value));
      return false;
    }
    *holes |= rlx_expr_is_unknown(arg);
    RlxValue v = rlx_value_expr(arg);
    v.span = args->at[i].span;
    sinfos[x->call->arg_count] = arg->sinfo;
    x->call->args[x->call->arg_count++] = v;
  }
  return true;
}

/// Arguments that are no Relax values yet, but for those that the call's own problem is about: one that does not fit
/// its parameter, and those that no parameter takes. `tainted`: what they are made of failed.
static void check_arguments(RlxEval *e, const RlxExpr *callee, const RlxPyArgs *args,
                            const RlxCallProblem *problem, bool tainted) {
  const bool after = e->tainted;
  int at = 0;
  bool has_expr = false; // a function of symbolic expressions alone may be TensorIR's
  for (uint32_t i = 0; i < args->count; i++) has_expr |= args->at[i].value.kind == RLX_VALUE_EXPR;
  e->tainted = tainted;
  for (uint32_t i = 0; i < args->count; i++) {
    const RlxValue *v = &args->at[i].value;
    if (args->at[i].keyword) continue;
    const bool is_told =
        at == problem->bad_arg || (problem->bad_count && at >= callee->sinfo->count);
    at++;
    if (!is_told && (v->kind != RLX_VALUE_PRIM || (has_expr && !rlx_eval_is_027(e))))
      check_argument(e, v, args->at[i].span);
  }
  e->tainted = after;
}

/// What the call `x`, whose arguments are there, gives; what is wrong with it is reported, and in `problem`.
static RlxValue call_taken(RlxEval *e, RlxExpr *x, const RlxSInfo *const *sinfos, bool holes,
                           RlxCallProblem *problem) {
  RlxExpr *callee = x->call->callee;
  check_recursion(e, callee, x->call->name_span);
  if (callee->kind == RLX_EXPR_GLOBAL && callee->callee &&
      callee->callee->has_error) { // a broken signature
    e->tainted = true;
    return rlx_value_expr(x);
  }
  const RlxSInfo *func = callee->sinfo;
  if (func->kind != RLX_SINFO_FUNC) {
    bool is_open = func->kind == RLX_SINFO_OBJECT &&
                   (callee->kind == RLX_EXPR_HOLE || rlx_eval_is_tlc(e) ||
                    (callee->kind == RLX_EXPR_VAR && callee->var->is_tainted));
    if (!e->tainted && !is_open) {
      RlxValue v = rlx_value_expr(callee);
      rlx_eval_report(e, RLX_DIAG_ID(NOT_CALLABLE), callee->span, "s", rlx_value_text(e, &v));
      return rlx_eval_failed(e, x->call->span);
    }
    return rlx_value_expr(x);
  }
  bool counts =
      !func->params || (uint32_t)func->count == x->call->arg_count; // else that is the mistake
  if (func->purity == RLX_IMPURE && counts)
    check_purity(e, rlx_arena_printf(e->arena, "`%s`", callee_text(e, callee)), x->call->name_span,
                 NULL, callee);
  if (holes) {
    e->tainted = true;
    return rlx_value_expr(x);
  }
  RlxBuf why = {0};
  if (func->params)
    x->sinfo = rlx_sinfo_derive_call(e->store, e->facts, func, sinfos, (int)x->call->arg_count,
                                     problem, &why);
  else
    x->sinfo = derived(e, func, x);
  if (func->params && !problem->bad_count && problem->bad_arg < 0)
    x->sinfo = rlx_substitute_shapes(e, x, func, x->sinfo);
  uint32_t reported = e->sink->diags.count;
  if ((problem->bad_count || problem->bad_arg >= 0) && !e->tainted)
    report_problem(e, callee, x, problem, &why);
  rlx_blame_call(e, x->call->name_span, reported);
  rlx_buf_free(&why);
  if (gives_nothing_known(e, callee)) e->tainted = true;
  return rlx_value_expr(x);
}

RlxValue rlx_call_function(RlxEval *e, RlxExpr *callee, RlxPyArgs *args, RlxSpan span,
                           RlxSpan name_span) {
  if (callee->kind == RLX_EXPR_HOLE) return rlx_eval_failed(e, span);
  const uint32_t room = args->count ? args->count : 1;
  const bool tainted = e->tainted;
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_CALL, span, rlx_sinfo_object(e->store));
  x->call->callee = callee;
  x->call->span = span;
  x->call->name_span = name_span;
  x->call->args = rlx_arena_array(e->arena, RlxValue, room);
  const RlxSInfo **sinfos = rlx_arena_array(e->arena, const RlxSInfo *, room);
  RlxCallProblem problem = {.bad_arg = -1};
  bool holes;
  const RlxValue v = take_arguments(e, x, args, sinfos, &holes)
                         ? call_taken(e, x, sinfos, holes, &problem)
                         : rlx_eval_failed(e, span);
  check_arguments(e, callee, args, &problem, tainted);
  return v;
}
